"""Raw text to word ids."""

from __future__ import annotations

from typing import Any

from benchmarks.jobs.tokenizing import TITLES
from benchmarks.report.section import Section, number
from benchmarks.results import Results


def tokenizing_section(results: Results) -> Section:
    """Return one row per method and vocabulary."""
    found: dict[str, Any] = {
        name: results[f"tokenizing/{name}"] for name in TITLES if f"tokenizing/{name}" in results
    }
    ours = found.get("psif", {}).get("ways", {}).get("known vocabulary", {}).get("seconds")
    rows = [
        [
            f"{TITLES[name]}, {way}",
            f"{row['seconds']:.3f}",
            f"{row['cpu_seconds']:.3f}",
            f"{result['mb'] / row['seconds']:.0f}",
            number(row["seconds"] / ours if ours else None, ".1f"),
        ]
        for name, result in found.items()
        for way, row in result["ways"].items()
    ]
    first = next(iter(found.values()), {"documents": 0, "mb": 0.0})
    text = (
        f"{first['documents']:,} raw documents ({first['mb']:.0f} MB) in memory to word ids. The "
        "last column compares with psif and a known vocabulary."
    )
    header = ["", "seconds", "CPU-seconds", "MB/s", "times psif"]
    return Section("Text to word ids", text, [header, *rows])
