"""What we want to reach, and whether a run reached it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from benchmarks.ratios import OURS, Results, exponent, growth_curves


@dataclass(frozen=True)
class Claim:
    """A bar, what was measured, and whether it is met (``None``: not measured)."""

    text: str
    bar: str
    measured: str
    met: bool | None

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return asdict(self)


def claims(results: Results, cores: int) -> list[Claim]:
    """Every claim, judged by a run."""
    judges: tuple[Callable[[Results, int], list[Claim]], ...] = (
        _whole_job, _static_table, _transformer, _dictionary, _growth, _latency, _roofline,
    )  # fmt: skip
    return [claim for judge in judges for claim in judge(results, cores)]


def whole_seconds(results: Results, peer: str, cores: int) -> float | None:
    """Seconds to learn from the training documents and embed all, raw text in."""
    fit, embed = results.get(f"fit/{peer}/{cores}"), results.get(f"embed/{peer}/{cores}")
    ours = results.get(f"embed/{OURS}/{cores}")
    if fit is None or embed is None or ours is None:
        return None
    # P-SIF embeds all documents within its time; a slower peer may have seen only a part.
    return float(fit["seconds"] + ours["documents"] / embed["documents_a_second"])


def _missing(text: str, bar: str) -> list[Claim]:
    return [Claim(text, bar, "not measured", None)]


def _whole_job(results: Results, cores: int) -> list[Claim]:
    text = "learn and embed the corpus, against Algorithm 1 in numpy over gensim's SGNS"
    bar = "≥ 50 times, accuracy no lower"
    ours, theirs = (whole_seconds(results, peer, cores) for peer in (OURS, "reference"))
    scores = [results.get(f"score/{peer}") for peer in (OURS, "reference")]
    if ours is None or theirs is None or scores[0] is None or scores[1] is None:
        return _missing(text, bar)
    good, known = scores[0]["accuracy"], scores[1]["accuracy"]
    said = f"{theirs / ours:.0f} times ({ours:.1f} s, {theirs:.0f} s), {good:.1f} to {known:.1f}"
    return [Claim(text, bar, said, theirs >= 50 * ours and good >= known)]


def _faster(results: Results, cores: int, peer: str, text: str, bar: float) -> list[Claim]:
    ours, theirs = (results.get(f"embed/{name}/{cores}") for name in (OURS, peer))
    if ours is None or theirs is None:
        return _missing(text, f"≥ {bar:g} times")
    ratio = ours["documents_a_second"] / theirs["documents_a_second"]
    lengths = [results[f"fit/{name}/{cores}"]["numbers"] for name in (OURS, peer)]
    said = f"{ratio:.1f} times, with vectors {lengths[0] / lengths[1]:.0f} times as long"
    return [Claim(text, f"≥ {bar:g} times", said, ratio >= bar)]


def _static_table(results: Results, cores: int) -> list[Claim]:
    text = "documents a second, saved model, against model2vec untruncated"
    return _faster(results, cores, "model2vec", text, 5)


def _transformer(results: Results, cores: int) -> list[Claim]:
    text = "documents a second, saved model, against MiniLM on the processor"
    return _faster(results, cores, "minilm", text, 200)


def _dictionary(results: Results, cores: int) -> list[Claim]:
    text, bar = "K-SVD against the package ksvd", "≥ 30 times, error no higher"
    ours, theirs = (results.get(f"dictionary/{name}") for name in (OURS, "ksvd"))
    if ours is None or theirs is None:
        return _missing(text, bar)
    ratio = theirs["seconds"] / ours["seconds"]
    said = f"{ratio:.0f} times, {ours['error']:.4f} to {theirs['error']:.4f}"
    return [Claim(text, bar, said, ratio >= 30 and ours["error"] <= theirs["error"])]


def _growth(results: Results, cores: int) -> list[Claim]:
    found = []
    for axis, parts in growth_curves(results).items():
        slopes = {part: exponent(*curve) for part, curve in parts.items()}
        # k = K / 2 picks, each made orthogonal to those before: the codes are cubic in K.
        limits = {part: _limit(axis, part) for part in parts}
        said = ", ".join(f"{part} {slope:.2f}" for part, slope in slopes.items())
        bars = ", ".join(f"{part} ≤ {limit:g}" for part, limit in limits.items())
        met = all(slopes[part] <= limits[part] for part in parts)
        name = {"topics": "topics K (k = K / 2)", "dim": "dimensions d"}.get(axis, axis)
        found.append(Claim(f"exponent of time in {name}", bars, said, met))
    return found or _missing("exponent of time in documents, tokens, vocabulary, K, d", "≤ 1.05")


def _limit(axis: str, part: str) -> float:
    if axis == "topics" and part != "averaging":
        return 2.0 if part == "atom update" else 3.0
    return 1.05


def _latency(results: Results, cores: int) -> list[Claim]:
    text, bar = "one short document, saved model, warm", "p50 < 100 µs, p99 < 1 ms"
    ours = results.get(f"embed/{OURS}/{cores}")
    if ours is None:
        return _missing(text, bar)
    p50, p99 = ours["latency"]["p50_us"], ours["latency"]["p99_us"]
    return [Claim(text, bar, f"p50 {p50:.0f} µs, p99 {p99:.0f} µs", p50 < 100 and p99 < 1000)]


def _roofline(results: Results, cores: int) -> list[Claim]:
    text, bar = "averaging and OMP, share of the roofline", "≥ 40 %"
    result = results.get(f"roofline/{cores}")
    if result is None:
        return _missing(text, bar)
    shares = {row["name"]: row["fraction"] for row in result["kernels"]}
    wanted = {name: shares[name] for name in ("averaging", "OMP")}
    said = ", ".join(f"{name} {share:.0%}" for name, share in wanted.items())
    return [Claim(text, bar, said, min(wanted.values()) >= 0.4)]
