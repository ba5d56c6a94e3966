"use strict";
// Numbers that were written as base64, read back as typed arrays.
const Arrays = (() => {
  let halves = null;

  function bytes(text) {
    const raw = atob(text), out = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
    return out.buffer;
  }

  // Data that were compressed by gzip and written as base64.
  async function inflate(text) {
    const stream = new Blob([bytes(text)]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  }

  // Value of the 16 bits of a half-precision number.
  function half(bits) {
    const sign = bits & 0x8000 ? -1 : 1, power = (bits >> 10) & 31, rest = bits & 1023;
    if (power === 0) return sign * rest * 2 ** -24;
    if (power === 31) return rest ? NaN : sign * Infinity;
    return sign * (1 + rest / 1024) * 2 ** (power - 15);
  }

  function fromHalves(words) {
    halves ??= Float32Array.from({ length: 65536 }, (_, bits) => half(bits));
    const out = new Float32Array(words.length);
    for (let i = 0; i < words.length; i++) out[i] = halves[words[i]];
    return out;
  }

  function unpack(packed) {
    if (!packed) return null;
    const raw = bytes(packed.data);
    switch (packed.type) {
      case "uint8": return new Uint8Array(raw);
      case "uint16": return new Uint16Array(raw);
      case "uint32": return new Uint32Array(raw);
      case "float32": return new Float32Array(raw);
      case "float64": return new Float64Array(raw);
      case "float16": return fromHalves(new Uint16Array(raw));
      default: throw new Error(`no array type ${packed.type}`);
    }
  }

  // Where each of several runs starts, given their lengths; one more than there are runs.
  function starts(lengths) {
    const out = new Uint32Array(lengths.length + 1);
    for (let i = 0; i < lengths.length; i++) out[i + 1] = out[i] + lengths[i];
    return out;
  }

  // Some positions as the base64 of a bit each.
  function bits(positions) {
    const out = new Uint8Array((positions.reduce((most, one) => Math.max(most, one), -1) >> 3) + 1);
    for (const one of positions) out[one >> 3] |= 1 << (one & 7);
    let text = "";
    for (const byte of out) text += String.fromCharCode(byte);
    return btoa(text);
  }

  // The largest of some numbers as [position, number], largest first, equal ones by position; NaN is left out.
  function largest(values, count) {
    const best = [];
    for (let i = 0; i < values.length; i++) {
      if (!(best.length < count || values[i] > best[count - 1][1]) || Number.isNaN(values[i])) continue;
      let at = best.length;
      while (at && best[at - 1][1] < values[i]) at--;
      best.splice(at, 0, [i, values[i]]);
      if (best.length > count) best.pop();
    }
    return best;
  }

  return { inflate, unpack, starts, bits, largest };
})();
