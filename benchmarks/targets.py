"""The speeds we aim for, and whether a run reaches them."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median

from benchmarks.classify_targets import classify_targets
from benchmarks.ratios import OURS, exponent, growth_curves, rounds_over_tfidf
from benchmarks.results import Results
from benchmarks.target import Target

_REFERENCE = "numpy-reference"
# Text below which a whole process is not compared with a function.
_LEAST_MB = 20.0


def targets(results: Results, cores: int) -> list[Target]:
    """Compare every target with the measurements."""
    judges: tuple[Callable[[Results, int], list[Target]], ...] = (
        _whole_job, _command_line, _static_table, _transformer, _dictionary, _growth, _latency,
        _roofline, classify_targets,
    )  # fmt: skip
    return [target for judge in judges for target in judge(results, cores)]


def whole_seconds(results: Results, peer: str, cores: int) -> float | None:
    """Seconds to fit on the training documents and embed all documents, from raw text."""
    fit, embed = results.get(f"fit/{peer}/{cores}"), results.get(f"embed/{peer}/{cores}")
    ours = results.get(f"embed/{OURS}/{cores}")
    if fit is None or embed is None or ours is None:
        return None
    # P-SIF embeds all documents within its time; a slower peer may have embedded only some.
    return float(fit["seconds"] + ours["documents"] / embed["documents_per_second"])


def _missing(text: str, bar: str) -> list[Target]:
    return [Target.missing(text, bar)]


def _whole_job(results: Results, cores: int) -> list[Target]:
    text = "fit and embed the corpus, against the NumPy reference implementation"
    bar = "≥ 50 times as fast, accuracy no lower"
    ours, theirs = (whole_seconds(results, peer, cores) for peer in (OURS, _REFERENCE))
    scores = [results.get(f"score/{peer}") for peer in (OURS, _REFERENCE)]
    if ours is None or theirs is None or scores[0] is None or scores[1] is None:
        return _missing(text, bar)
    good, known = scores[0]["accuracy"], scores[1]["accuracy"]
    said = (
        f"{theirs / ours:.0f} times ({ours:.1f} s against {theirs:.0f} s), "
        f"accuracy {good:.1f} against {known:.1f}"
    )
    return [Target(text, bar, said, theirs >= 50 * ours and good >= known)]


def _command_line(results: Results, cores: int) -> list[Target]:
    result = results.get("command/embed")
    found = []
    for way, text, bar in (
        ("fit", "`psif embed`, fit included", 2.0),
        ("saved", "`psif embed` with a saved model", 0.8),
    ):
        text = f"{text}, against `TfidfVectorizer().fit_transform` on the raw corpus"
        limit = f"≤ {bar} times its time"
        if result is None:
            found += _missing(text, limit)
        else:
            ratio = median(rounds_over_tfidf(result)[way])
            # On few documents the start of the process is all that counts.
            met = ratio <= bar if result["mb"] >= _LEAST_MB else None
            found.append(Target(text, limit, f"{ratio:.2f} times", met))
    return found


def _faster(results: Results, cores: int, peer: str, text: str, bar: float) -> list[Target]:
    ours, theirs = (results.get(f"embed/{name}/{cores}") for name in (OURS, peer))
    if ours is None or theirs is None:
        return _missing(text, f"≥ {bar:g} times")
    ratio = ours["documents_per_second"] / theirs["documents_per_second"]
    lengths = [results[f"fit/{name}/{cores}"]["numbers"] for name in (OURS, peer)]
    said = f"{ratio:.1f} times, with vectors {lengths[0] / lengths[1]:.0f} times as long"
    return [Target(text, f"≥ {bar:g} times", said, ratio >= bar)]


def _static_table(results: Results, cores: int) -> list[Target]:
    text = "documents per second with a saved model, against model2vec without truncation"
    return _faster(results, cores, "model2vec", text, 5)


def _transformer(results: Results, cores: int) -> list[Target]:
    text = "documents per second with a saved model, against MiniLM on the CPU"
    return _faster(results, cores, "minilm", text, 200)


def _dictionary(results: Results, cores: int) -> list[Target]:
    text, bar = "K-SVD against the package ksvd", "≥ 30 times as fast, error no higher"
    ours, theirs = (results.get(f"dictionary/{name}") for name in (OURS, "ksvd"))
    if ours is None or theirs is None:
        return _missing(text, bar)
    ratio = theirs["seconds"] / ours["seconds"]
    said = f"{ratio:.0f} times, error {ours['error']:.4f} against {theirs['error']:.4f}"
    return [Target(text, bar, said, ratio >= 30 and ours["error"] <= theirs["error"])]


def _growth(results: Results, cores: int) -> list[Target]:
    found = []
    for axis, parts in growth_curves(results).items():
        slopes = {part: exponent(*curve) for part, curve in parts.items()}
        # k = K / 2 picks, each made orthogonal to those before: the codes are cubic in K.
        limits = {part: _limit(axis, part) for part in parts}
        said = ", ".join(f"{part} {slope:.2f}" for part, slope in slopes.items())
        bars = ", ".join(f"{part} ≤ {limit:g}" for part, limit in limits.items())
        met = all(slopes[part] <= limits[part] for part in parts)
        name = {"topics": "topics K (k = K / 2)", "dim": "dimensions d"}.get(axis, axis)
        found.append(Target(f"exponent of time in {name}", bars, said, met))
    return found or _missing("exponent of time in documents, tokens, vocabulary, K, d", "≤ 1.05")


def _limit(axis: str, part: str) -> float:
    if axis == "topics" and part != "averaging":
        return 2.0 if part == "atom update" else 3.0
    return 1.05


def _latency(results: Results, cores: int) -> list[Target]:
    text, bar = "one short document with a saved model, warm", "p50 < 100 µs, p99 < 1 ms"
    ours = results.get(f"embed/{OURS}/{cores}")
    if ours is None:
        return _missing(text, bar)
    p50, p99 = ours["latency"]["p50_us"], ours["latency"]["p99_us"]
    return [Target(text, bar, f"p50 {p50:.0f} µs, p99 {p99:.0f} µs", p50 < 100 and p99 < 1000)]


def _roofline(results: Results, cores: int) -> list[Target]:
    text, bar = "averaging and sparse coding (OMP), share of the roofline", "≥ 40 %"
    result = results.get(f"roofline/{cores}")
    if result is None:
        return _missing(text, bar)
    shares = {row["name"]: row["fraction"] for row in result["kernels"]}
    wanted = {name: shares[name] for name in ("averaging", "OMP")}
    said = ", ".join(f"{name} {share:.0%}" for name, share in wanted.items())
    return [Target(text, bar, said, min(wanted.values()) >= 0.4)]
