"use strict";
// What can be done with chosen documents: take them along, keep them, tell two choices apart.
const Chosen = (() => {
  let kept = null;
  // `rows` gives the documents at the moment of a click.
  function tools(app, rows) {
    const told = el("span", { class: "soft", role: "status" });
    const button = (name, act, label) => el("button", { type: "button", class: "small", "aria-label": label, onclick: async () => {
      told.textContent = "…";
      try { told.textContent = await act(rows()) ?? ""; } catch (error) { told.textContent = error.message; }
    } }, name);
    const number = list => `${many(list.length)} ${list.length === 1 ? "document" : "documents"}`;
    const compare = button("Compare", list => ContrastView.show(app, document.getElementById("panel"), kept, list).then(() => ""), "Compare these documents with the kept ones");
    compare.hidden = !kept;
    return el("p", { class: "chosen" },
      button("CSV", list => Download.save(app, list, "csv").then(() => `${number(list)} saved`), "Download these documents as CSV"),
      button("JSONL", list => Download.save(app, list, "jsonl").then(() => `${number(list)} saved`), "Download these documents as JSON Lines"),
      button("Copy", list => Download.copy(app, list).then(() => `${number(list)} copied`), "Copy these documents"),
      app.page.can.compare ? button("Keep", list => { kept = list; compare.hidden = false; return `${number(list)} kept to compare others with`; }, "Keep these documents to compare others with") : null,
      compare, told);
  }
  return { tools };
})();
