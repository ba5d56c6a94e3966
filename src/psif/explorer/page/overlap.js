"use strict";
// Search by shared words, rarer words counting more, where the page holds no word vectors.
class Overlap {
  constructor(texts, facts) {
    this.facts = facts; this.texts = texts;
    // Where words are runs of characters, a word is found by looking through the texts; else by an index of them all.
    if (facts.runs) {
      this.lowered = texts.map(text => (facts.lowercase ? (text || "").toLowerCase() : text || ""));
      this.token = new RegExp(`^(?:${facts.pattern})$`, "u");
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
    for (let doc = 0; doc < this.lowered.length; doc++) if (this.stands(word, this.lowered[doc])) out.push(doc);
    return out;
  }
  // Whether a word stands in a text by itself, not as a part of a longer one.
  stands(word, text) {
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
      const before = at ? Overlap.last(text, at) : "", after = at + word.length < text.length ? String.fromCodePoint(text.codePointAt(at + word.length)) : "";
      const begins = !before || !this.token.test(before + String.fromCodePoint(word.codePointAt(0)));
      if (begins && (!after || !this.token.test(Overlap.last(word, word.length) + after))) return true;
    }
    return false;
  }
  // The character before a position.
  static last(text, at) {
    const low = text.charCodeAt(at - 1), pair = at > 1 && low >= 0xdc00 && low < 0xe000 && text.charCodeAt(at - 2) >= 0xd800 && text.charCodeAt(at - 2) < 0xdc00;
    return text.slice(at - (pair ? 2 : 1), at);
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
