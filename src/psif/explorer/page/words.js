"use strict";
// Words of a text and where they stand, found as the model's tokenizer finds them.
const Words = (() => {
  // Where each character of the lower-cased text begins in the text itself: "İ" becomes two.
  function lowerCaseInPlace(text) {
    const lowered = text.toLowerCase();
    if (lowered.length === text.length) return [lowered, null];
    const begins = [];
    let at = 0;
    for (const character of text) {
      for (let i = 0; i < character.toLowerCase().length; i++) begins.push(at);
      at += character.length;
    }
    return [lowered, [...begins, at]];
  }

  // As psif.text.normal_form: "e" and an accent become "é", soft hyphens go.
  const normalForm = text => text.replace(/\u00ad/g, "").replace(/\u2019/g, "'").normalize("NFC");
  // A character and what can melt into it.
  const cluster = /[^][\p{M}\u00ad\u1161-\u1175\u11a8-\u11c2\u{16d63}-\u{16d6a}]*/gu;
  function normalFormInPlace(text) {
    if (/^[\0-\x7f]*$/.test(text)) return [text, null];
    const normal = normalForm(text);
    if (!text.includes("\u00ad") && text.normalize("NFC") === text) return [normal, null];
    const begins = [];
    for (const { 0: part, index } of text.matchAll(cluster)) {
      // What did not melt stays in place, counted from the end.
      const form = normalForm(part), shorter = Math.min(form.length, part.length);
      let same = 0;
      while (same < shorter && form.at(-1 - same) === part.at(-1 - same)) same++;
      const after = index + part.length - same;
      for (let i = 0; i < form.length - same; i++) {
        begins.push(Math.max(index, Math.min(index + i, after - 1)));
      }
      for (let at = after; at < index + part.length; at++) begins.push(at);
    }
    return [normal, [...begins, text.length]];
  }

  // The text as it is cut, and where its characters begin; null: in their places.
  function prepared(text, facts) {
    const [normal, first] = facts.normalises ? normalFormInPlace(text) : [text, null];
    const [ready, second] = facts.lowercase ? lowerCaseInPlace(normal) : [normal, null];
    return [ready, first && second ? second.map(at => first[at]) : first || second];
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
    const [ready, origin] = prepared(text, facts);
    const found = [];
    for (const match of ready.matchAll(facts.regex)) {
      const group = match.length > 1 ? 1 : 0, word = match[group];
      if (!word || [...word].length < facts.min_length || facts.stops.has(word)) continue;
      const start = group ? match.indices[1][0] : match.index, end = start + word.length;
      found.push(origin ? { start: origin[start], end: origin[end], word } : { start, end, word });
    }
    return facts.rounds.reduce(joined, found);
  }
  return { spans, prepared };
})();
