"use strict";
// Elements of the page. Texts become text nodes, never markup.
function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "style") Object.assign(made.style, value);
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.flat(2).filter(child => child !== null && child !== undefined));
  return made;
}
const signed = (number, digits = 3) => (number < 0 ? "−" : "+") + Math.abs(number).toFixed(digits);
const percent = share => (100 * share).toFixed(1) + "\u00a0%";
const many = number => number.toLocaleString("en");
// Words come from documents, and "constructor" is a word.
const ofWord = (table, word) => (Object.hasOwn(table, word) ? table[word] : undefined);
