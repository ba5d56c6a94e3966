"""Run the Python of a Markdown page and compare what it prints with what the page shows.

A ``python`` block that is followed by a ``text`` block has that output. The blocks of a page share
their names and run in order. After a change of behaviour, ``python -m tests.snippets PAGE...``
writes the new outputs into the pages; read them before you commit.
"""

import contextlib
import io
import os
import re
import sys
import tempfile
import warnings
from pathlib import Path

ROOT = Path(__file__).parents[1]
_CODE = re.compile(
    r"^```python\n(?P<code>.*?)^```\n(?:\n*^```text\n(?P<output>.*?)^```\n)?",
    re.DOTALL | re.MULTILINE,
)


def snippets(page):
    """Return the code of a page with the output that it shows, None where it shows none."""
    return [(match["code"], match["output"]) for match in _CODE.finditer(page)]


def run(page, name, folder):
    """Run the snippets of a page in a folder; return what each printed, and their names."""
    printed, names, before = [], {"__name__": "__page__"}, Path.cwd()
    os.chdir(folder)
    try:
        for code, _ in snippets(page):
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(code, name, "exec"), names)
            printed.append(re.sub(r"[ \t]+$", "", out.getvalue(), flags=re.MULTILINE))
    finally:
        os.chdir(before)
    return printed, names


def check(path, folder):
    """Assert that a page prints what it shows, no more and no less; return its names."""
    page = Path(path).read_text(encoding="utf-8")
    printed, names = run(page, str(path), folder)
    assert printed, f"{path} has no Python"
    for (code, shown), output in zip(snippets(page), printed, strict=True):
        assert output == (shown or ""), f"{path}, after\n{code}"
    return names


def rewrite(path):
    """Write the outputs into a page."""
    page = path.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        printed, _ = run(page, str(path), folder)
    outputs = iter(printed)

    def with_output(match):
        output = next(outputs)
        shown = f"\n```text\n{output}```\n" if output else ""
        return f"```python\n{match['code']}```\n{shown}"

    path.write_text(_CODE.sub(with_output, page), encoding="utf-8")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for argument in sys.argv[1:]:
        rewrite(Path(argument))
