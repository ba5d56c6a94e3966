"use strict";
// Answers from the server that sent this page.
const Remote = (() => {
  async function read(response) {
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error || `the server said ${response.status}`);
    return answer;
  }
  const ask = async (name, question) => read(await fetch(`api/${name}`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(question),
  }));
  return {
    overview: async () => read(await fetch("api/overview")),
    document: number => ask("document", { number }),
    lines: numbers => ask("lines", { numbers }),
    texts: numbers => ask("texts", { numbers }),
    search: text => ask("search", { text }),
    contrast: (first, second) => ask("contrast", { first: Arrays.bits(first), second: Arrays.bits(second) }),
    compare: (a, b) => ask("compare", { a, b }),
  };
})();
