"use strict";
// Words of a text and where they stand, found as the model's tokenizer finds them.
const Words = (() => {
  // Where each character of the lower-cased text begins in the text itself: "İ" becomes two.
  function origins(text, lowered) {
    if (lowered.length === text.length) return null;
    const out = [];
    let at = 0;
    for (const character of text) {
      for (let i = 0; i < character.toLowerCase().length; i++) out.push(at);
      at += character.length;
    }
    out.push(at);
    return out;
  }

  function patternOf(facts) {
    try { return new RegExp(facts.pattern, "gud"); } catch { return /[\p{L}\p{M}\p{N}]+/gu; }
  }

  // Joins pairs of words from left to right, as psif.text.pairs does; a word joins only once.
  function joined(found, pairs) {
    const out = [];
    for (let i = 0; i < found.length; i++) {
      const next = found[i + 1], name = next && pairs.get(found[i].word)?.get(next.word);
      if (name === undefined) { out.push(found[i]); continue; }
      out.push({ start: found[i].start, end: next.end, word: name });
      i++;
    }
    return out;
  }

  function prepare(facts) {
    facts.regex = patternOf(facts);
    facts.stops = new Set(facts.stop_words);
    facts.rounds = facts.phrases.map(pairs => {
      const table = new Map();
      for (const [first, second, name] of pairs) {
        if (!table.has(first)) table.set(first, new Map());
        table.get(first).set(second, name);
      }
      return table;
    });
  }

  function spans(text, facts) {
    if (!facts.regex) prepare(facts);
    const lowered = facts.lowercase ? text.toLowerCase() : text, origin = origins(text, lowered);
    const found = [];
    for (const match of lowered.matchAll(facts.regex)) {
      const group = match.length > 1 ? 1 : 0, word = match[group];
      if (!word || [...word].length < facts.min_length || facts.stops.has(word)) continue;
      const start = group ? match.indices[1][0] : match.index, end = start + word.length;
      found.push(origin ? { start: origin[start], end: origin[end], word } : { start, end, word });
    }
    return facts.rounds.reduce(joined, found);
  }
  return { spans };
})();
