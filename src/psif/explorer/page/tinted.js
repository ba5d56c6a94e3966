"use strict";
// A text with its words tinted by topic; deeper where a word weighs more.
const Tinted = (() => {
  // describe(word) gives {topic, strength, title, against} or null.
  function render(text, facts, describe) {
    const box = el("div", { class: "text" });
    let at = 0;
    for (const { start, end, word } of Words.spans(text, facts)) {
      const how = describe(word);
      if (!how || start < at) continue;
      box.append(text.slice(at, start), el("mark", {
        title: how.title, class: how.against ? "against" : null, "data-word": word,
        style: { background: Colours.tint(how.topic, how.strength) },
      }, text.slice(start, end)));
      at = end;
    }
    box.append(text.slice(at));
    return box;
  }
  const MOST = 60000;
  return {
    render: (text, facts, describe) => {
      const box = render(text.slice(0, MOST), facts, describe);
      if (text.length > MOST) box.append(el("p", { class: "soft" }, `… ${many(text.length - MOST)} more characters`));
      return box;
    },
  };
})();
