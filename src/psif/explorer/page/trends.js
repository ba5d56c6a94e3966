"use strict";
// How the share of each label changes from period to period; as psif.group.trends.shares, which gives the formulas.
const Trends = (() => {
  const DAY = 86400, MOST = 60, SIGNIFICANT = 0.05;
  const DAYS = { day: 1, week: 7, month: 30.4, quarter: 91.3, year: 365.25 }, MONTHS = { month: 1, quarter: 3, year: 12 };
  const PERIODS = Object.keys(DAYS);

  // Position of a period, counted from that of 1 January 1970; weeks begin on Monday.
  function number(seconds, period) {
    const days = Math.floor(seconds / DAY);
    if (period === "day") return days;
    if (period === "week") return Math.floor((days + 3) / 7);
    const when = new Date(1000 * DAY * days);
    return Math.floor(((when.getUTCFullYear() - 1970) * 12 + when.getUTCMonth()) / MONTHS[period]);
  }
  // First day of a period.
  function start(at, period) {
    if (period === "day" || period === "week") return new Date(1000 * DAY * (period === "day" ? at : 7 * at - 3)).toISOString().slice(0, 10);
    const months = at * MONTHS[period], when = new Date(0);
    when.setUTCFullYear(1970 + Math.floor(months / 12), ((months % 12) + 12) % 12, 1);
    return when.toISOString().slice(0, 10);
  }
  // The shortest period of which few enough fit between two dates.
  const fitting = (least, most) => PERIODS.find(period => (most - least) / DAY / DAYS[period] < MOST) ?? "year";

  // Twice the probability of a normal number above |z|: Chebyshev fit of erfc, within 1.2e-7 of its value (Numerical Recipes, 6.2).
  function twoSided(z) {
    const x = Math.abs(z) / Math.SQRT2, t = 1 / (1 + x / 2);
    const fit = [-1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587, -0.82215223, 0.17087277];
    return t * Math.exp(-x * x + fit.reduceRight((sum, part) => sum * t + part, 0));
  }
  // Holm's correction: the i-th smallest of m values counts m - i times, and none less than one before it.
  function corrected(raw) {
    const order = [...raw.keys()].sort((a, b) => raw[a] - raw[b]), out = new Array(raw.length);
    let highest = 0;
    order.forEach((own, i) => { highest = Math.max(highest, raw[own] * (raw.length - i)); out[own] = Math.min(1, highest); });
    return out;
  }
  // Cochran-Armitage test for a linear trend of each label.
  function test(counts, totals) {
    const sum = list => list.reduce((a, b) => a + b, 0), all = Math.max(1, sum(totals)), middle = sum(totals.map((n, t) => n * t)) / all;
    const spread = sum(totals.map((n, t) => n * (t - middle) ** 2));
    const slopes = counts.map(own => {
      const share = sum(own) / all, variance = share * (1 - share) * spread;
      return variance > 1e-12 ? sum(own.map((n, t) => n * (t - middle))) / Math.sqrt(variance) : 0;
    });
    return { slopes, p: corrected(slopes.map(twoSided)) };
  }

  // `dates` and `labels` are columns; documents count that `passes` lets through. Null where none of them has a date.
  function count(dates, labels, passes, period = null) {
    let least = Infinity, most = -Infinity, missing = 0, n = 0;
    for (let i = 0; i < dates.values.length; i++) {
      if (!passes(i)) continue;
      n++;
      const value = dates.values[i];
      if (Number.isNaN(value)) { missing++; continue; }
      least = Math.min(least, value); most = Math.max(most, value);
    }
    if (missing === n) return null;
    period ??= fitting(least, most);
    const first = number(least, period), length = number(most, period) - first + 1;
    const totals = new Array(length).fill(0), counts = labels.names.map(() => new Array(length).fill(0));
    for (let i = 0; i < dates.values.length; i++) {
      if (!passes(i) || Number.isNaN(dates.values[i])) continue;
      const at = number(dates.values[i], period) - first;
      totals[at]++;
      if (labels.codes[i] < counts.length) counts[labels.codes[i]][at]++;
    }
    const { slopes, p } = test(counts, totals);
    const change = label => (p[label] >= SIGNIFICANT ? "steady" : slopes[label] > 0 ? "rises" : "falls");
    return { period, starts: totals.map((_, t) => start(first + t, period)), totals, counts, slopes, p, missing, n, change };
  }
  return { PERIODS, DAYS, fitting, count };
})();
