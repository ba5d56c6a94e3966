"use strict";
// Lists of documents and of topics, used by several views.
const Lists = (() => {
  const name = (page, topic, words = 4) => page.topics[topic].words.slice(0, words).join(" ") || `topic ${topic}`;
  const dot = topic => el("span", { class: "dot", style: { background: Colours.css(topic) }, "aria-hidden": "true" });

  // Documents with, where given, their scores, the reason and a link that compares them with another.
  function documents(page, found, { compareWith = null } = {}) {
    const line = number => { const box = el("span", { class: "line" }); page.line.tell(number, text => { box.textContent = text; }); return box; };
    return el("ol", { class: "plain" }, found.map(([number, score, reason]) => el("li", { class: "item" },
      dot(page.topicOf[number]),
      el("a", { href: `#/document/${number}` }, page.ids[number]),
      el("span", { class: "score soft" }, score === undefined ? "" : signed(score, 3),
        compareWith === null || !page.can.compare ? null : [" ", el("a", { href: `#/compare/${compareWith}/${number}`, "aria-label": `Why is ${page.ids[number]} alike?` }, "why?")]),
      line(number),
      reason ? el("span", { class: "line soft why" }, reason) : null)));
  }

  function topics(page, chosen, choose) {
    const order = page.topics.map((topic, i) => [topic.share, i]).sort((a, b) => b[0] - a[0]);
    return el("ul", { class: "plain" }, order.map(([share, topic]) => el("li", {}, el("button", {
      class: "topic", type: "button", "aria-pressed": String(topic === chosen), onclick: () => choose(topic),
    }, dot(topic), el("span", {}, name(page, topic, 6)), el("span", { class: "score soft" }, percent(share))))));
  }

  // Shares of a document or a selection as one bar, with its largest parts named.
  function bar(page, shares) {
    const order = [...shares].map((share, topic) => [share, topic]).filter(([share]) => share > 0).sort((a, b) => b[0] - a[0]);
    const label = order.slice(0, 5).map(([share, topic]) => `${name(page, topic, 2)} ${percent(share)}`).join(", ");
    return el("div", {},
      el("div", { class: "bar", role: "img", "aria-label": `Topics: ${label}` }, order.map(([share, topic]) =>
        el("span", { title: `${name(page, topic)}: ${percent(share)}`, style: { width: `${100 * share}%`, background: Colours.css(topic) } }))),
      el("ul", { class: "plain soft" }, order.slice(0, 5).map(([share, topic]) => el("li", {}, dot(topic), ` ${name(page, topic)} · ${percent(share)}`))));
  }
  // Some words, and how many more there are.
  const some = (words, most = 8) => words.slice(0, most).join(", ") + (words.length > most ? ` and ${many(words.length - most)} more` : "");
  return { name, dot, documents, topics, bar, some };
})();
