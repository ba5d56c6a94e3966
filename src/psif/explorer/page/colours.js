"use strict";
// One colour per topic, chosen by psif.explorer.palette for the light and for the dark page.
const Colours = (() => {
  const NONE = 65535, dark = matchMedia("(prefers-color-scheme: dark)");
  // The deepest tint behind a word; the text above it keeps a contrast of 4.5:1.
  const DEEPEST = { light: 0.45, dark: 0.3 };
  let chosen = { light: [], dark: [] }, grey = [0, 0, 0];

  const parse = hex => [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16));
  const scheme = () => (dark.matches ? "dark" : "light");
  function use({ light, dark: other, none }) {
    chosen = { light: light.map(parse), dark: other.map(parse) }; grey = parse(none);
  }
  const rgb = topic => chosen[scheme()][topic] ?? grey;
  const css = (topic, alpha = 1) => `rgb(${rgb(topic).join(" ")} / ${alpha})`;
  const tint = (topic, strength) => css(topic, 0.05 + (DEEPEST[scheme()] - 0.05) * Math.min(1, strength));
  const ink = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  return { NONE, use, css, tint, rgb, ink, onchange: callback => dark.addEventListener("change", callback) };
})();
