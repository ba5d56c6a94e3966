"use strict";
// First lines of documents: known from the start, or asked for when they are shown.
class Lines {
  // Numbers in one question; lines that are kept.
  static PART = 500; static MOST = 20000;
  constructor(page, source) { this.all = page.lines; this.has = page.has_texts; this.source = source; this.known = new Map(); this.wanted = new Map(); }
  // Tell the line of a document, at once or when it arrives.
  tell(i, told) {
    const line = !this.has ? "" : this.all ? this.all[i] : this.known.get(i);
    if (line !== undefined) { told(line); return; }
    if (!this.wanted.size) queueMicrotask(() => this.ask());
    if (!this.wanted.has(i)) this.wanted.set(i, []);
    this.wanted.get(i).push(told);
  }
  async ask() {
    const wanted = [...this.wanted];
    this.wanted = new Map();
    if (this.known.size > Lines.MOST) this.known.clear();
    for (let start = 0; start < wanted.length; start += Lines.PART) {
      const part = wanted.slice(start, start + Lines.PART);
      try {
        const lines = await this.source.lines(part.map(([i]) => i));
        part.forEach(([i, all], at) => { this.known.set(i, lines[at]); for (const told of all) told(lines[at]); });
      } catch { return; } // the server has ended; the next view says so
    }
  }
}
