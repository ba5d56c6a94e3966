"use strict";
// Search by shared words, rarer words counting more, where the page holds no word vectors.
class Overlap {
  constructor(texts, facts) {
    this.facts = facts; this.texts = texts;
    // Where words stand in the texts as they are, the few texts that may have one are looked through; else there is an index of all.
    if (facts.literal) {
      this.prepared = texts.map(text => Words.prepared(text || "", facts)[0]);
      this.sets = new Array(texts.length);
    } else this.index();
  }
  index() {
    this.holding = new Map();
    this.texts.forEach((text, doc) => {
      for (const word of this.distinct(text || "")) {
        if (!this.holding.has(word)) this.holding.set(word, []);
        this.holding.get(word).push(doc);
      }
    });
  }
  distinct(text) { return new Set(Words.spans(text, this.facts).map(span => span.word)); }

  // Documents that have a word.
  having(word) {
    if (this.holding) return this.holding.get(word) || [];
    const out = [];
    this.prepared.forEach((text, doc) => {
      if (!text.includes(word)) return;
      this.sets[doc] ||= this.distinct(this.texts[doc] || "");
      if (this.sets[doc].has(word)) out.push(doc);
    });
    return out;
  }

  search(text, number) {
    const scores = new Float64Array(this.texts.length), asked = this.distinct(text), unknown = [];
    let most = 0;
    for (const word of asked) {
      const docs = this.having(word), weight = Math.log(1 + this.texts.length / (docs.length || 1));
      if (!docs.length) unknown.push(word);
      most += weight;
      for (const doc of docs) scores[doc] += weight;
    }
    // Of equal scores the shorter text comes first.
    const found = Arrays.largest(scores.map((score, doc) => (score ? score / most - 1e-9 * Math.min(1e5, this.texts[doc].length) / 1e5 : NaN)), number);
    return { known: asked.size - unknown.length, words: asked.size, unknown, found: found.map(([doc]) => [doc, scores[doc] / most]) };
  }
}
