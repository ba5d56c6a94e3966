"use strict";
// The columns of the documents, the topic that stands out as the first: values, bins, colours.
class Column {
  constructor(data) {
    this.name = data.name; this.kind = data.kind; this.colourOf = data.colourOf ?? (code => Colours.many(code));
    if (data.kind === "label") { this.names = data.names; this.codes = data.codes instanceof Uint16Array ? data.codes : Arrays.unpack(data.codes); }
    if (data.kind === "number" || data.kind === "date") { this.values = Arrays.unpack(data.values); this.whole = data.whole; this.days = data.days; this.measure(); }
    if (data.kind === "text") this.texts = data.texts;
  }
  static topics(page) {
    const names = page.topics.map((_, topic) => Lists.name(page, topic, 4));
    return new Column({ name: "topic", kind: "label", names, codes: page.topicOf, colourOf: topic => Colours.rgb(topic) });
  }
  get ranged() { return this.kind === "number" || this.kind === "date"; }
  get coloured() { return this.kind !== "text"; }

  // Ends of the scale, and its bins. Few values far away do not squeeze all others together: they count in the first or
  // last bin. Where most values are far below the largest, the scale is logarithmic.
  measure() {
    const sorted = this.values.filter(value => !Number.isNaN(value)).sort();
    const at = part => sorted[Math.round(part * (sorted.length - 1))];
    this.least = sorted[0]; this.most = sorted[sorted.length - 1];
    [this.low, this.high] = [at(0.005), at(0.995)];
    if (this.high - this.low > (this.most - this.least) / 2) [this.low, this.high] = [this.least, this.most];
    this.log = this.kind === "number" && this.least >= 0 && at(0.5) - this.low < (this.high - this.low) / 8;
    // Where nearly all values lie on a part of the scale, colours are for this part: else most documents would look alike.
    const most = [at(0.02), at(0.98)], [from, to] = most.map(value => this.along(value));
    this.ends = to > from && to - from < 0.75 * this.along(this.high) ? most : [this.low, this.high];
    // A bin per whole number, or per day, holds values from its own up to the next.
    const [unit, few] = this.kind === "date" && this.days ? [86400, 62] : this.whole ? [1, 30] : [0, 0], each = unit && !this.log && (this.high - this.low) / unit < few;
    this.nBins = this.high === this.low ? 1 : each ? Math.round((this.high - this.low) / unit) + 1 : 30;
    this.daily = unit === 86400 && each;
    this.top = each ? this.high + unit : this.high;
  }
  along(value) { return this.log ? Math.log1p(value - this.low) : value - this.low; }
  get n() { return this.ranged ? this.nBins : this.names.length; }
  // Bin or label of a document; -1 where its value is missing.
  bin(i) {
    if (!this.ranged) return this.codes[i] < this.names.length ? this.codes[i] : -1;
    const value = this.values[i];
    return Number.isNaN(value) ? -1 : Math.max(0, Math.min(this.nBins - 1, Math.floor(this.nBins * this.along(Math.max(value, this.low)) / (this.along(this.top) || 1))));
  }
  // Where a bin begins.
  edge(bin) {
    const far = bin / this.nBins * this.along(this.top);
    return this.low + (this.log ? Math.expm1(far) : far);
  }
  // Values of the bins from one to another, ends included; the outermost bins hold all beyond.
  range(first, last) {
    const from = this.edge(first), to = this.edge(last + 1);
    const before = this.whole ? Math.ceil(to - 1e-6) - 1 : to - 1e-9 * Math.abs(to - from);
    return [first === 0 ? this.least : this.whole ? Math.ceil(from - 1e-6) : from, last === this.nBins - 1 ? this.most : before];
  }
  // Part of the scale of colours, from 0 to 1.
  part(value) {
    const [from, to] = this.ends.map(end => this.along(end)), far = this.along(Math.max(value, this.low)) - from;
    return to > from ? Math.min(1, Math.max(0, far / (to - from))) : 0.5;
  }
  // Colour of a bin of the histogram.
  shadeOf(bin) { return Colours.scale(this.part((this.edge(bin) + this.edge(bin + 1)) / 2)); }
  // Documents without a value.
  missing(n) { let count = 0; for (let i = 0; i < n; i++) count += this.shown(i) === null; return count; }

  colour(i) {
    if (this.ranged) return Number.isNaN(this.values[i]) ? Colours.none() : Colours.scale(this.part(this.values[i]));
    return this.codes[i] < this.names.length ? this.colourOf(this.codes[i]) : Colours.none();
  }
  written(value) {
    if (this.kind === "date") return new Date(1000 * value).toISOString().slice(0, this.days ? 10 : 16).replace("T", " ");
    return this.whole ? value.toLocaleString("en", { maximumFractionDigits: 0 }) : Number(value.toPrecision(6)).toLocaleString("en", { maximumSignificantDigits: 6 });
  }
  // The value of a document as text; null where it is missing.
  shown(i) {
    if (this.ranged) return Number.isNaN(this.values[i]) ? null : this.written(this.values[i]);
    if (this.kind === "label") return this.names[this.codes[i]] ?? null;
    return this.texts[i];
  }
}
