"use strict";
// Which documents are looked at: one condition per column, all of them together.
class Filters {
  constructor(columns, n) {
    this.columns = columns; this.n = n; this.set = new Map(); this.listeners = [];
    // How many conditions a document fails, and the last of them.
    this.fails = new Uint8Array(n); this.last = new Int16Array(n).fill(-1);
  }
  onchange(listener) { this.listeners.push(listener); }
  get active() { return this.set.size > 0; }
  passes(i) { return this.fails[i] === 0; }
  count() { let n = 0; for (let i = 0; i < this.n; i++) n += this.fails[i] === 0; return n; }

  // Conditions: { range: [from, to] }, { labels: Set }, { contains: "text" }; null takes one away.
  change(column, condition) {
    if (condition) this.set.set(column, condition); else this.set.delete(column);
    this.apply();
  }
  clear() { this.set.clear(); this.apply(); }
  apply() {
    this.fails.fill(0);
    for (const [column, condition] of this.set) {
      const test = Filters.test(column, condition), number = this.columns.indexOf(column);
      for (let i = 0; i < this.n; i++) if (!test(i)) { this.fails[i]++; this.last[i] = number; }
    }
    for (const listener of this.listeners) listener();
  }
  static test(column, { range, labels, contains }) {
    if (range) return i => column.values[i] >= range[0] && column.values[i] <= range[1];
    if (labels) return i => labels.has(column.codes[i]);
    const wanted = contains.toLowerCase();
    return i => (column.texts[i] ?? "").toLowerCase().includes(wanted);
  }
  // Documents per bin of a column that pass all conditions but the column's own; with `all`, of all documents.
  counts(column, all = false) {
    const out = new Uint32Array(column.n), number = this.columns.indexOf(column);
    for (let i = 0; i < this.n; i++) {
      if (!all && this.fails[i] && !(this.fails[i] === 1 && this.last[i] === number)) continue;
      const bin = column.bin(i);
      if (bin >= 0) out[bin]++;
    }
    return out;
  }
}
