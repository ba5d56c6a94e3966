"use strict";
// Chosen documents as a file, or as text to paste: id, topic, every column, and the text.
const Download = (() => {
  // Texts asked of the server at a time.
  const PART = 200;

  function value(column, i) {
    if (column.kind !== "number") return column.shown(i);
    return Number.isNaN(column.values[i]) ? null : column.values[i];
  }
  // Names of the fields; one that stands twice gets a number.
  function fields(app) {
    const taken = new Set(["id", "text", "psif_topic"]), unique = name => { let own = name; for (let n = 2; taken.has(own); n++) own = `${name}_${n}`; taken.add(own); return own; };
    return app.columns.slice(1).map(column => [unique(column.name), column]);
  }
  async function records(app, rows) {
    const { page, source } = app, own = fields(app), out = [];
    for (let start = 0; start < rows.length; start += PART) {
      const part = rows.slice(start, start + PART), texts = page.has_texts ? await source.texts(part) : null;
      part.forEach((i, at) => {
        // Entries, since a column may be called __proto__.
        const record = [["id", page.ids[i]], ["psif_topic", page.topics[page.topicOf[i]] ? Lists.name(page, page.topicOf[i]) : null]];
        for (const [name, column] of own) record.push([name, value(column, i)]);
        if (texts) record.push(["text", texts[at]]);
        out.push(record);
      });
    }
    return out;
  }

  const cell = given => { const text = given === null || given === undefined ? "" : String(given); return /[",\r\n]/.test(text) ? `"${text.replaceAll("\"", "\"\"")}"` : text; };
  const csv = list => list.length ? [list[0].map(([name]) => name), ...list.map(record => record.map(([, given]) => given))].map(row => row.map(cell).join(",") + "\r\n").join("") : "";
  const jsonl = list => list.map(record => `{${record.map(([name, given]) => `${JSON.stringify(name)}:${JSON.stringify(given ?? null)}`).join()}}\n`).join("");
  const FORMS = { csv: ["text/csv", csv], jsonl: ["application/jsonl", jsonl] };

  async function save(app, rows, form) {
    const [type, write] = FORMS[form];
    file(`documents.${form}`, type, write(await records(app, rows)));
  }
  function file(name, type, content) {
    const url = URL.createObjectURL(new Blob([content], { type })), link = el("a", { href: url, download: name, hidden: true });
    document.body.append(link); link.click(); link.remove();
    // The browser reads the address after the click.
    setTimeout(() => URL.revokeObjectURL(url), 60000);
  }
  async function copy(app, rows) {
    const content = csv(await records(app, rows));
    if (navigator.clipboard?.writeText) { await navigator.clipboard.writeText(content); return; }
    const field = el("textarea", { class: "unseen" }, content);
    document.body.append(field); field.select();
    const done = document.execCommand("copy");
    field.remove();
    if (!done) throw new Error("The browser does not allow copying; download the documents instead.");
  }
  return { csv, jsonl, records, save, file, copy };
})();
