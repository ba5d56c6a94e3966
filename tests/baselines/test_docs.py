"""The page on the methods is whole, and its code runs."""

import re
from pathlib import Path

from psif.baselines import METHODS

PAGE = (Path(__file__).parents[2] / "docs" / "baselines.md").read_text(encoding="utf-8")


def test_every_method_and_extra_is_on_the_page():
    table = PAGE.split("## The methods")[1].split("Simplifications")[0]
    assert set(re.findall(r"`([a-z0-9-]+)`", table)) >= set(METHODS)
    for method in METHODS.values():
        assert method.extra is None or f"`{method.extra}`" in table


def test_the_examples_run(capsys):
    names: dict[str, object] = {}
    blocks = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    assert len(blocks) == 3
    for block in blocks:
        exec(compile(block, "docs/baselines.md", "exec"), names)
    assert names["X"].shape == (4, 2)
    assert names["positions"].shape == (1, 2)
    assert "usif vectors None" in capsys.readouterr().out
