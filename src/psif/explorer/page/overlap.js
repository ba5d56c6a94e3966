"use strict";
// Search by shared words, rarer words counting more, where the page holds no word vectors.
class Overlap {
  constructor(texts, facts) {
    this.holding = new Map(); this.facts = facts; this.lengths = [];
    texts.forEach((text, doc) => {
      const words = this.distinct(text || "");
      this.lengths.push(Math.sqrt(words.size) || 1);
      for (const word of words) {
        if (!this.holding.has(word)) this.holding.set(word, []);
        this.holding.get(word).push(doc);
      }
    });
  }
  distinct(text) { return new Set(Words.spans(text, this.facts).map(span => span.word)); }

  search(text, number) {
    const scores = new Map(), asked = this.distinct(text);
    const unknown = [];
    let most = 0;
    for (const word of asked) {
      const docs = this.holding.get(word) || [], weight = Math.log(1 + this.lengths.length / (docs.length || 1));
      if (!docs.length) unknown.push(word);
      most += weight;
      for (const doc of docs) scores.set(doc, (scores.get(doc) || 0) + weight);
    }
    const found = [...scores].map(([doc, score]) => [doc, score / (most || 1)]);
    found.sort((a, b) => b[1] - a[1] || this.lengths[a[0]] - this.lengths[b[0]] || a[0] - b[0]);
    return { known: asked.size - unknown.length, words: asked.size, unknown, found: found.slice(0, number) };
  }
}
