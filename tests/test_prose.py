"""Documentation, docstrings and messages keep to plain English."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
UNITS = (
    "document|line|row|second|word|file|column|class|topic|label|feature|partition|page|process|"
    "item|task|minute|vector|chunk|block|method|run|query|corpus|pair|worker|dimension|fold|axis"
)
THINGS = (
    "numbers?|documents?|words?|rows?|lines?|files?|vectors?|class|labels?|seconds?|times|topics?|"
    "ids?|texts?|bytes|objects?|columns?|operations"
)
# "the topics a word has" is no rate.
NOT_A_RATE = r"(?! (?:of|has|may|keeps|occurs|is|uses|row|such)\b)(?!'s)"
# What readers stumble over, and what to write instead.
IDIOMS = {
    rf"\b(?:{THINGS}) an? (?:{UNITS})\b{NOT_A_RATE}": "'per' for rates: one document per line",
    r"\bthe reference way\b": "NumPy reference implementation",
    r"\bcannot be had\b": "is not available",
    r"\bhow-manieth\b": "position",
    r"\bgoes on (?:where|from|after)\b": "continues",
    r"\brooms?\b (?:of the|in the) (?:house|package)": "packages or modules",
    r"\bnothing bears\b": "unknown names",
    r"\bcompare with nothing\b": "not comparable",
}


def pages():
    listed = subprocess.run(
        ["git", "ls-files", "README.md", "CONTRIBUTING.md", "SECURITY.md", "docs/*.md", "src/*.py"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return listed.stdout.split()


@pytest.mark.parametrize("pattern", IDIOMS)
def test_no_private_idiom(pattern):
    found = []
    for name in pages():
        text = re.sub(r"\s+", " ", (ROOT / name).read_text(encoding="utf-8"))
        found += [f"{name}: ...{match.group()}..." for match in re.finditer(pattern, text)]
    assert found == [], IDIOMS[pattern]
