"use strict";
// A score split exactly over topics and word pairs; the same sums as psif.explain makes.
const Split = (() => {
  const MOST = 500;
  const length = x => Math.sqrt(dot(x, x));
  const dot = (x, y) => { let sum = 0; for (let i = 0; i < x.length; i++) sum += x[i] * y[i]; return sum; };

  // Length of a document once its common parts are removed.
  function norm(matrix, common) {
    const before = dot(matrix, matrix), after = before - dot(common, common);
    return after > 1e-12 * before ? Math.sqrt(after) : 0;
  }

  // What a word adds through each topic: its name, strongest topic and sum, and shares by topic.
  function collect(engine, ids, partsOf, byTopic) {
    const shares = Object.create(null), topics = Object.create(null);
    ids.forEach((id, i) => {
      let total = 0, most = 0, best = 0;
      for (const [topic, share] of partsOf(id, i)) {
        total += share;
        (byTopic[topic] ??= new Map()).set(id, (byTopic[topic].get(id) || 0) + share);
        if (Math.abs(share) > most) { most = Math.abs(share); best = topic; }
      }
      shares[engine.names[id]] = total; topics[engine.names[id]] = best;
    });
    return { shares, topics };
  }

  // Words of a side against a whole document: blocks of topics; the shared block and the columns
  // of single words divide among the topics of their word.
  function wordShares(engine, side, other, same, unit, byTopic) {
    return collect(engine, side.ids, (id, i) => {
      const parts = new Map();
      let rest = same[i];
      for (let c = engine.codeStart[id]; c < engine.codeStart[id + 1]; c++) {
        const topic = engine.codeTopics[c], row = other.subarray(topic * engine.dim, (topic + 1) * engine.dim);
        const share = side.shares[i] * engine.codeValues[c] * dot(row, engine.vector(id)) * unit;
        if (topic < engine.nShared) rest += share; else parts.set(topic, share);
      }
      if (rest) for (const [topic, weight] of engine.topicWeights(id)) parts.set(topic, (parts.get(topic) || 0) + weight * rest);
      return parts;
    }, byTopic);
  }

  // The same for compact vectors: the row of a word divides among its topics.
  function rowShares(engine, side, rows, z, unit, byTopic) {
    return collect(engine, side.ids, (id, i) => {
      const share = dot(rows[i], z) * unit;
      return engine.topicWeights(id).map(([topic, weight]) => [topic, weight * share]);
    }, byTopic);
  }

  function denseCodes(engine, id) {
    const out = new Float64Array(engine.nTopics);
    for (let c = engine.codeStart[id]; c < engine.codeStart[id + 1]; c++) out[engine.codeTopics[c]] = engine.codeValues[c];
    return out;
  }

  // Heaviest words of a side: what a pair with them can add is bounded by the length of their part.
  const byBound = rows => rows.sort((x, y) => y.bound - x.bound).slice(0, MOST);
  function heaviest(engine, side, columns) {
    return byBound(Array.from(side.ids, (id, i) => {
      const codes = denseCodes(engine, id), v = engine.vector(id), share = side.shares[i], column = columns[i];
      return { id, share, codes, v, column, bound: Math.hypot(share * length(codes) * length(v), column) };
    }));
  }
  const heaviestRows = (side, rows) => byBound(Array.from(side.ids, (id, i) => ({ id, row: rows[i], bound: length(rows[i]) })));
  const product = (w, u) => w.share * u.share * dot(w.codes, u.codes) * dot(w.v, u.v) + (w.id === u.id ? w.column * u.column : 0);
  const rowProduct = (w, u) => dot(w.row, u.row);

  function strongestPairs(engine, rows, columns, adds, unit, number) {
    let kept = [], floor = 0;
    for (const w of rows) {
      for (const u of columns) {
        if (w.bound * u.bound * unit < floor) break;
        const share = adds(w, u) * unit;
        if (Math.abs(share) >= floor) kept.push({ a: engine.names[w.id], b: engine.names[u.id], share });
      }
      if (kept.length > 4 * number) {
        kept = kept.sort(byShare).slice(0, number);
        floor = Math.abs(kept[number - 1].share);
      }
    }
    return kept.sort(byShare).slice(0, number);
  }

  // What each word of a side has in its column once that part of its document has its length.
  function scaledColumns(engine, side, t) {
    const columns = engine.columnsOf(side), l = length(columns);
    return columns.map(value => (l ? value * engine.ratio * t / l : 0));
  }

  // What each word of a side adds by standing in the other document too.
  function sameWords(a, columnsA, b, columnsB, unit) {
    const inB = new Map(Array.from(b.ids, (id, i) => [id, columnsB[i]]));
    return Array.from(a.ids, (id, i) => columnsA[i] * (inB.get(id) || 0) * unit);
  }

  function byShare(x, y) { return Math.abs(y.share) - Math.abs(x.share); }

  // Every topic: half of what the words of either side add through it.
  function topicParts(engine, byTopic, names) {
    return Array.from({ length: engine.nTopics }, (_, topic) => {
      const parts = [...(byTopic[topic] || [])];
      const words = parts.filter(([, share]) => share).sort((x, y) => Math.abs(y[1]) - Math.abs(x[1])).slice(0, 5);
      const share = parts.reduce((total, [, value]) => total + value, 0) / 2;
      return { topic, name: names[topic] || "", share, words: words.map(([id]) => engine.names[id]) };
    }).sort(byShare);
  }

  function explain(engine, a, b, number = 60, names = []) {
    return (engine.table ? explainCompact : explainFull)(engine, a, b, number, names);
  }

  function explainFull(engine, a, b, number, names) {
    const ma = engine.matrix(a), mb = engine.matrix(b), ca = engine.commonOf(a), cb = engine.commonOf(b);
    const ta = norm(ma, ca), tb = norm(mb, cb);
    const columnsA = scaledColumns(engine, a, ta), columnsB = scaledColumns(engine, b, tb);
    const scale = Math.hypot(ta, length(columnsA)) * Math.hypot(tb, length(columnsB)), unit = scale ? 1 / scale : 0, byTopic = {};
    const sameA = sameWords(a, columnsA, b, columnsB, unit), sameB = sameWords(b, columnsB, a, columnsA, unit);
    const first = wordShares(engine, a, mb, sameA, unit, byTopic), second = wordShares(engine, b, ma, sameB, unit, byTopic);
    const pairs = unit ? strongestPairs(engine, heaviest(engine, a, columnsA), heaviest(engine, b, columnsB), product, unit, number) : [];
    return together(engine, byTopic, names, first, second, pairs, { removed: -dot(ca, cb) * unit, shared_words: sameA.reduce((x, y) => x + y, 0) });
  }

  function explainCompact(engine, a, b, number, names) {
    const of = engine.rows(a), other = engine.rows(b), from = engine.hasColumn ? engine.first : engine.width;
    const scale = length(of.z) * length(other.z), unit = scale ? 1 / scale : 0, byTopic = {};
    const first = rowShares(engine, a, of.rows, other.z, unit, byTopic), second = rowShares(engine, b, other.rows, of.z, unit, byTopic);
    const pairs = unit ? strongestPairs(engine, heaviestRows(a, of.rows), heaviestRows(b, other.rows), rowProduct, unit, number) : [];
    return together(engine, byTopic, names, first, second, pairs, { removed: 0, shared_words: dot(of.z.subarray(from), other.z.subarray(from)) * unit });
  }

  function together(engine, byTopic, names, first, second, pairs, rest) {
    const topics = topicParts(engine, byTopic, names), sum = topics.reduce((total, topic) => total + topic.share, 0);
    return {
      score: sum + rest.removed, topics, ...rest, pairs,
      other_pairs: sum - pairs.reduce((total, pair) => total + pair.share, 0),
      words_a: first.shares, words_b: second.shares, word_topics_a: first.topics, word_topics_b: second.topics,
    };
  }
  return { explain, norm, length };
})();
