"use strict";
// The model in the page: document vectors and cosines, from the words alone.
//
// A vector has a part of topics t and, in models with columns of words, a part l of single words
// that is scaled to r‖t‖, r being `ratio` (see psif.documents.word_columns). Compact models fold
// both parts into a table with a row per word: its first `first` numbers belong to t.
class Engine {
  constructor(words) {
    this.names = words.names;
    this.index = new Map(words.names.map((name, i) => [name, i]));
    this.nBuckets = words.n_buckets;
    this.nTopics = words.n_topics; this.nShared = words.n_shared; this.dim = words.dim; this.sublinear = words.sublinear;
    this.weights = Arrays.unpack(words.weights);
    this.vectors = Arrays.unpack(words.vectors);
    this.codeStart = Arrays.starts(Arrays.unpack(words.code_counts));
    this.codeTopics = Arrays.unpack(words.code_topics);
    this.codeValues = Arrays.unpack(words.code_values);
    this.nCommon = words.n_common; this.common = Arrays.unpack(words.common);
    this.width = words.width; this.first = words.first; this.table = Arrays.unpack(words.table);
    this.ratio = words.ratio; this.hasColumn = Arrays.unpack(words.has_column);
    this.docStart = Arrays.starts(Arrays.unpack(words.doc_sizes));
    this.docWords = Arrays.unpack(words.doc_words);
    this.docCounts = Arrays.unpack(words.doc_counts);
    // Lengths of both parts of each document; those of l are before it is scaled.
    this.topicNorms = Arrays.unpack(words.norms); this.wordNorms = Arrays.unpack(words.word_norms);
  }

  // A document or a text: its distinct words and their shares, weight × factor / length.
  side(ids, counts) {
    const shares = new Float64Array(ids.length);
    let total = 0, known = 0;
    for (let i = 0; i < ids.length; i++) {
      const factor = this.sublinear ? 1 + Math.log(counts[i]) : counts[i];
      total += factor; known += counts[i]; shares[i] = factor * this.weights[ids[i]];
    }
    return { ids, shares: shares.map(share => share / (total || 1)), known };
  }
  ofDocument(number) {
    const from = this.docStart[number], to = this.docStart[number + 1];
    return this.side(this.docWords.subarray(from, to), this.docCounts.subarray(from, to));
  }
  // A text also tells the words that are not known, each once.
  ofText(text, facts) {
    const counts = new Map(), unknown = new Set();
    for (const { word } of Words.spans(text, facts)) {
      const id = this.index.get(word) ?? (this.nBuckets ? this.names.length - this.nBuckets + Engine.bucket(word, this.nBuckets) : undefined);
      if (id === undefined) unknown.add(word);
      else counts.set(id, (counts.get(id) || 0) + 1);
    }
    const ids = [...counts.keys()].sort((a, b) => a - b);
    return { ...this.side(Uint32Array.from(ids), Uint32Array.from(ids, id => counts.get(id))), unknown: [...unknown] };
  }
  // Bucket of an unknown word: FNV-1a of its UTF-8 bytes, as in psif.text.buckets.
  static bucket(word, number) {
    let value = 14695981039346656037n;
    for (const byte of new TextEncoder().encode(word)) value = ((value ^ BigInt(byte)) * 1099511628211n) & 0xffffffffffffffffn;
    return Number((value ^ (value >> 32n)) % BigInt(number));
  }

  vector(id) { return this.vectors.subarray(id * this.dim, (id + 1) * this.dim); }

  // How a word divides among the topics that are not shared: its squared codes, summing to 1.
  topicWeights(id) {
    const found = [];
    let total = 0;
    for (let c = this.codeStart[id]; c < this.codeStart[id + 1]; c++) {
      const square = this.codeValues[c] ** 2;
      if (this.codeTopics[c] >= this.nShared && square) { found.push([this.codeTopics[c], square]); total += square; }
    }
    if (total) return found.map(([topic, square]) => [topic, square / total]);
    const number = this.nTopics - this.nShared;
    return Array.from({ length: number }, (_, j) => [this.nShared + j, 1 / number]);
  }

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

  // What each word of a side has in its column, before that part is scaled.
  columnsOf(side) {
    return side.shares.map((share, i) => (this.hasColumn && this.hasColumn[side.ids[i]] ? share : 0));
  }

  // Compact vector: the weighted mean of the words' rows.
  compact(side) {
    const out = new Float64Array(this.width);
    side.ids.forEach((id, i) => {
      for (let d = 0; d < this.width; d++) out[d] += side.shares[i] * this.table[id * this.width + d];
    });
    return out;
  }

  // What each word adds to the compact vector: its row, the word part scaled to its share.
  rows(side) {
    const z = this.compact(side), first = this.hasColumn ? this.first : this.width;
    const t = Split.length(z.subarray(0, first)), l = Split.length(z.subarray(first)), own = l ? this.ratio * t / l : 0;
    const rows = Array.from(side.ids, (id, i) => Float64Array.from({ length: this.width }, (_, d) => side.shares[i] * this.table[id * this.width + d] * (d < first ? 1 : own)));
    return { rows, z: z.map((value, d) => (d < first ? value : value * own)) };
  }

  // What each word adds to ⟨t, t'⟩ and to ⟨l, l'⟩ of a document with the side, and the side's ‖t‖ and ‖l‖.
  gains(side) {
    const n = this.names.length, topics = new Float64Array(n), words = this.hasColumn ? new Float64Array(n) : null;
    return this.table ? this.compactGains(this.compact(side), topics, words) : this.wholeGains(side, topics, words);
  }
  compactGains(z, topics, words) {
    const first = words ? this.first : this.width;
    for (let id = 0, row = 0; id < topics.length; id++, row += this.width) {
      for (let d = 0; d < first; d++) topics[id] += z[d] * this.table[row + d];
      for (let d = first; d < this.width; d++) words[id] += z[d] * this.table[row + d];
    }
    return { topics, words, t: Split.length(z.subarray(0, first)), l: Split.length(z.subarray(first)) };
  }
  // αᵀ M v − ⟨c, p⟩
  wholeGains(side, topics, words) {
    const m = this.matrix(side), c = this.commonOf(side), columns = this.columnsOf(side), n = topics.length;
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
      topics[id] = sum;
    }
    if (words) side.ids.forEach((id, i) => { words[id] = columns[i]; });
    return { topics, words, t: Split.norm(m, c), l: Split.length(columns) };
  }

  // Cosine of two vectors of both parts, from ⟨t, t'⟩, ⟨l, l'⟩ and the lengths of the parts.
  cosine(topics, words, a, b) {
    if (!a.t || !b.t) return 0;
    const length = part => part.t * (part.l ? Math.hypot(1, this.ratio) : 1);
    const both = a.l && b.l ? words * (this.ratio * a.t / a.l) * (this.ratio * b.t / b.l) : 0;
    return (topics + both) / (length(a) * length(b));
  }

  // Shares of the words of all documents, one after the other.
  get docShares() {
    if (this.shares) return this.shares;
    const { docStart, docWords, docCounts, weights } = this, shares = new Float32Array(docWords.length);
    const factors = this.sublinear ? Float64Array.from({ length: 65536 }, (_, count) => 1 + Math.log(count || 1)) : Float64Array.from({ length: 65536 }, (_, count) => count);
    for (let doc = 0; doc + 1 < docStart.length; doc++) {
      const from = docStart[doc], to = docStart[doc + 1];
      let total = 0;
      for (let i = from; i < to; i++) total += factors[docCounts[i]];
      for (let i = from; i < to; i++) shares[i] = factors[docCounts[i]] * weights[docWords[i]] / total;
    }
    return this.shares = shares;
  }

  // Documents of largest cosine with a side. Local names: this loop passes over every word of every document.
  nearest(side, number, without = -1) {
    const own = this.gains(side), { docStart, docWords, topicNorms, wordNorms, docShares } = this;
    const { topics, words } = own, scores = new Float64Array(docStart.length - 1);
    if (!own.t) return [];
    for (let doc = 0; doc < scores.length; doc++) {
      if (doc === without || !topicNorms[doc]) { scores[doc] = NaN; continue; }
      const to = docStart[doc + 1];
      let ofTopics = 0, ofWords = 0;
      for (let i = docStart[doc]; i < to; i++) ofTopics += docShares[i] * topics[docWords[i]];
      if (words) for (let i = docStart[doc]; i < to; i++) ofWords += docShares[i] * words[docWords[i]];
      scores[doc] = this.cosine(ofTopics, ofWords, own, { t: topicNorms[doc], l: wordNorms ? wordNorms[doc] : 0 });
    }
    return Arrays.largest(scores, number);
  }
}
