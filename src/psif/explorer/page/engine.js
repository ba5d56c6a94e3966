"use strict";
// The model in the page: document matrices and scores, from the words alone.
class Engine {
  constructor(words) {
    this.names = words.names;
    this.index = new Map(words.names.map((name, i) => [name, i]));
    this.nTopics = words.n_topics; this.dim = words.dim; this.sublinear = words.sublinear;
    this.weights = Arrays.unpack(words.weights);
    this.vectors = Arrays.unpack(words.vectors);
    this.codeStart = Arrays.starts(Arrays.unpack(words.code_counts));
    this.codeTopics = Arrays.unpack(words.code_topics);
    this.codeValues = Arrays.unpack(words.code_values);
    this.nCommon = words.n_common; this.common = Arrays.unpack(words.common);
    this.width = words.width; this.table = Arrays.unpack(words.table);
    this.docStart = Arrays.starts(Arrays.unpack(words.doc_sizes));
    this.docWords = Arrays.unpack(words.doc_words);
    this.docCounts = Arrays.unpack(words.doc_counts);
    this.norms = Arrays.unpack(words.norms);
  }

  // A document or a text: its distinct words and their shares, weight × factor / length.
  side(ids, counts) {
    const shares = new Float64Array(ids.length);
    let total = 0;
    for (let i = 0; i < ids.length; i++) {
      const factor = this.sublinear ? 1 + Math.log(counts[i]) : counts[i];
      total += factor; shares[i] = factor * this.weights[ids[i]];
    }
    return { ids, shares: shares.map(share => share / (total || 1)) };
  }
  ofDocument(number) {
    const from = this.docStart[number], to = this.docStart[number + 1];
    return this.side(this.docWords.subarray(from, to), this.docCounts.subarray(from, to));
  }
  ofText(text, facts) {
    const counts = new Map();
    for (const { word } of Words.spans(text, facts)) {
      const id = this.index.get(word);
      if (id !== undefined) counts.set(id, (counts.get(id) || 0) + 1);
    }
    const ids = [...counts.keys()].sort((a, b) => a - b);
    return this.side(Uint32Array.from(ids), Uint32Array.from(ids, id => counts.get(id)));
  }

  vector(id) { return this.vectors.subarray(id * this.dim, (id + 1) * this.dim); }

  // M = Σ s α vᵀ, topics as rows.
  matrix(side) {
    const out = new Float64Array(this.nTopics * this.dim);
    side.ids.forEach((id, i) => {
      const v = this.vector(id);
      for (let c = this.codeStart[id]; c < this.codeStart[id + 1]; c++) {
        const base = this.codeTopics[c] * this.dim, factor = side.shares[i] * this.codeValues[c];
        for (let d = 0; d < this.dim; d++) out[base + d] += factor * v[d];
      }
    });
    return out;
  }

  // Parts along the common components.
  commonOf(side) {
    return Float64Array.from({ length: this.nCommon }, (_, r) => {
      let sum = 0;
      for (let i = 0; i < side.ids.length; i++) sum += side.shares[i] * this.common[r * this.names.length + side.ids[i]];
      return sum;
    });
  }

  // Compact vector: the weighted mean of the words' rows.
  compact(side) {
    const out = new Float64Array(this.width);
    side.ids.forEach((id, i) => {
      for (let d = 0; d < this.width; d++) out[d] += side.shares[i] * this.table[id * this.width + d];
    });
    return out;
  }

  // What each word adds to a document's product with the side: αᵀ M v − ⟨c, p⟩.
  gains(side) {
    const out = new Float64Array(this.names.length);
    if (this.table) {
      const z = this.compact(side);
      for (let id = 0; id < out.length; id++) {
        for (let d = 0; d < this.width; d++) out[id] += z[d] * this.table[id * this.width + d];
      }
      return { out, length: Math.hypot(...z) };
    }
    const m = this.matrix(side), c = this.commonOf(side), n = this.names.length;
    for (let id = 0; id < n; id++) {
      const at = id * this.dim;
      let sum = 0;
      for (let k = this.codeStart[id]; k < this.codeStart[id + 1]; k++) {
        const base = this.codeTopics[k] * this.dim;
        let dot = 0;
        for (let d = 0; d < this.dim; d++) dot += m[base + d] * this.vectors[at + d];
        sum += this.codeValues[k] * dot;
      }
      for (let r = 0; r < this.nCommon; r++) sum -= c[r] * this.common[r * n + id];
      out[id] = sum;
    }
    return { out, length: Split.norm(m, c) };
  }

  // Documents of largest cosine with a side.
  nearest(side, number, without = -1) {
    const { out, length } = this.gains(side), scores = [];
    if (!length) return scores;
    for (let doc = 0; doc + 1 < this.docStart.length; doc++) {
      if (doc === without || !this.norms[doc]) continue;
      const own = this.ofDocument(doc);
      let sum = 0;
      for (let i = 0; i < own.ids.length; i++) sum += own.shares[i] * out[own.ids[i]];
      scores.push([doc, sum / (length * this.norms[doc])]);
    }
    return scores.sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, number);
  }
}
