"use strict";
// Answers from data in the page itself; the same questions as Remote.
class Offline {
  constructor(data) {
    this.data = data;
    const shares = Arrays.unpack(data.shares);
    this.shares = shares instanceof Uint8Array ? Float32Array.from(shares, share => share / 255) : shares;
    this.engine = data.words ? new Engine(data.words) : null;
    this.near = data.near && { number: data.near.number, rows: Arrays.unpack(data.near.rows), scores: Arrays.unpack(data.near.scores) };
  }
  static firstLine(text) {
    const line = ((text || "").slice(0, 4000).split(/\r?\n/).find(one => one.trim()) || "").trim();
    return line.length > 140 ? line.slice(0, 139) + "…" : line;
  }
  async overview() {
    this.data.lines ??= this.data.texts && this.data.texts.map(Offline.firstLine);
    return this.data;
  }
  async document(number) {
    const k = this.data.topics.length, text = this.data.texts ? this.data.texts[number] : null;
    return {
      text, words: this.engine ? this.words(this.engine.ofDocument(number)) : {},
      topics: this.shares && [...this.shares.subarray(number * k, (number + 1) * k)],
      near: this.engine ? this.engine.nearest(this.engine.ofDocument(number), 12, number) : this.stored(number),
    };
  }
  prepare() { void this.engine?.docShares; }
  async texts(numbers) { return numbers.map(number => this.data.texts[number]); }
  stored(number) {
    const n = this.near.number;
    return Array.from({ length: n }, (_, i) => [this.near.rows[number * n + i], this.near.scores[number * n + i]]);
  }
  // Strongest topic of each word, and how much it weighs next to the heaviest.
  words(side) {
    const out = Object.create(null), engine = this.engine;
    let most = 0;
    side.ids.forEach((id, i) => {
      let topic = 0, size = 0;
      for (let c = engine.codeStart[id]; c < engine.codeStart[id + 1]; c++) {
        const here = engine.codeTopics[c] < engine.nShared ? 0 : Math.abs(engine.codeValues[c]);
        if (here > size) { size = here; topic = engine.codeTopics[c]; }
      }
      out[engine.names[id]] = [topic, size * side.shares[i]];
      most = Math.max(most, size * side.shares[i]);
    });
    for (const pair of Object.values(out)) pair[1] /= most || 1;
    return out;
  }
  async search(text) {
    if (this.engine) {
      const side = this.engine.ofText(text, this.data.tokenizer), words = Words.spans(text, this.data.tokenizer).length;
      return { known: side.known, words, unknown: side.unknown, found: side.ids.length ? this.engine.nearest(side, 50) : [] };
    }
    if (!this.data.texts) return { known: 0, words: 0, unknown: [], found: [] };
    this.overlap ??= new Overlap(this.data.texts, this.data.tokenizer);
    return this.overlap.search(text, 50);
  }
  async contrast(first, second) { return Contrast.of(this.engine, first, second); }
  async compare(a, b) {
    if (!this.engine) throw new Error("This file holds no word vectors, so two documents cannot be compared in it.");
    const text = side => typeof side === "number" ? this.data.texts[side] || "" : side;
    const sides = [a, b].map(side => {
      const read = this.engine.ofText(text(side), this.data.tokenizer);
      // Long documents are cut in this file; their words are not.
      return typeof side === "number" ? { ...this.engine.ofDocument(side), unknown: read.unknown } : read;
    });
    return { ...Split.explain(this.engine, ...sides, 60, this.data.topics.map(topic => topic.name)), text_a: text(a), text_b: text(b), unknown_a: sides[0].unknown, unknown_b: sides[1].unknown };
  }
}
