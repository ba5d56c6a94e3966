"use strict";
// Colours of topics, labels and scales, chosen by psif.explorer.palette for both pages.
const Colours = (() => {
  const NONE = 65535, dark = matchMedia("(prefers-color-scheme: dark)");
  // The deepest tint behind a word; the text above it keeps a contrast of 4.5:1.
  const DEEPEST = { light: 0.45, dark: 0.3 };
  let given = null;

  const parse = hex => [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16));
  const scheme = () => (dark.matches ? "dark" : "light");
  function use(colours) {
    const page = ({ many, scale }) => ({ many: many.map(parse), scale: scale.map(parse) });
    given = { light: page(colours.light), dark: page(colours.dark), none: parse(colours.none), topics: colours.topics };
  }
  const none = () => given.none;
  // The n-th of the colours that differ; grey after the last.
  const many = number => given[scheme()].many[number] ?? none();
  // A colour of the scale, from 0 to 1.
  const scale = part => given[scheme()].scale[Math.round(part * (given.light.scale.length - 1))];
  const rgb = topic => many(given.topics[topic]);
  const text = (colour, alpha = 1) => `rgb(${colour.join(" ")} / ${alpha})`;
  const css = (topic, alpha = 1) => text(rgb(topic), alpha);
  const tint = (topic, strength) => css(topic, 0.05 + (DEEPEST[scheme()] - 0.05) * Math.min(1, strength));
  const ink = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  return { NONE, use, none, many, scale, rgb, text, css, tint, ink, onchange: callback => dark.addEventListener("change", callback) };
})();
