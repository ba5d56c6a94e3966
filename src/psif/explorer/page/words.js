"use strict";
// Words of a text and where they stand, found as the model's tokenizer finds them.
const Words = (() => {
  const HAN = "\\p{Script=Han}";
  const PRESETS = {
    unicode: new RegExp(`${HAN}|(?:(?!${HAN})[\\p{L}\\p{M}\\p{N}])+`, "gu"),
    paper: /[A-Za-z]+/g,
  };

  function patternOf(facts) {
    if (Object.hasOwn(PRESETS, facts.pattern)) return PRESETS[facts.pattern];
    try { return new RegExp(facts.pattern, "gud"); } catch { return PRESETS.unicode; }
  }

  function spans(text, facts) {
    facts.regex ??= patternOf(facts);
    facts.stops ??= new Set(facts.stop_words);
    const lowered = facts.lowercase ? text.toLowerCase() : text;
    const found = [];
    for (const match of (lowered.length === text.length ? lowered : text).matchAll(facts.regex)) {
      const group = match.length > 1 ? 1 : 0;
      if (!match[group]) continue;
      const start = group ? match.indices[1][0] : match.index;
      const word = facts.lowercase ? match[group].toLowerCase() : match[group];
      if ([...word].length < facts.min_length || facts.stops.has(word)) continue;
      found.push({ start, end: start + match[group].length, word });
    }
    return found;
  }
  return { spans };
})();
