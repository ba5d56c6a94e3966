"use strict";
// One hue a topic; golden angles keep neighbouring numbers apart.
const Colours = (() => {
  const NONE = 65535, dark = matchMedia("(prefers-color-scheme: dark)");
  const hue = topic => (topic * 137.508) % 360;
  const light = () => (dark.matches ? 62 : 46);

  function css(topic, alpha = 1) {
    return topic === NONE ? `hsl(0 0% 55% / ${alpha})` : `hsl(${hue(topic)} 60% ${light()}% / ${alpha})`;
  }
  // A background that leaves the text above it readable.
  const tint = (topic, strength) => css(topic, 0.06 + 0.44 * Math.min(1, strength));

  function rgb(topic) {
    const l = light() / 100, s = topic === NONE ? 0 : 0.6, a = s * Math.min(l, 1 - l);
    const channel = n => {
      const k = (n + hue(topic) / 30) % 12;
      return Math.round(255 * (l - a * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
    };
    return [channel(0), channel(8), channel(4)];
  }
  const ink = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  return { NONE, css, tint, rgb, ink, onchange: callback => dark.addEventListener("change", callback) };
})();
