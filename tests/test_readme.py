"""Every command and every line of Python in the README is run, and its links lead somewhere."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


@pytest.mark.filterwarnings("ignore::psif.PsifWarning")
def test_python(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in blocks("python"):
        exec(compile(block, "README.md", "exec"), names)
    assert names["vectors"].shape == (6, names["model"].n_features_out_)
    assert len(names["new"]) == 1
    assert "similarity" in capsys.readouterr().out


def test_shell(tmp_path):
    lines = [line.split("#")[0].strip() for block in blocks("sh") for line in block.splitlines()]
    commands = [line for line in lines if line.startswith("psif ")]
    assert len(commands) == 3
    texts = [f"{word} {other} text" for word in ("ship", "plane", "bread") for other in "abcdefgh"]
    rows = [json.dumps({"id": str(i), "text": text}) for i, text in enumerate(texts * 9)]
    (tmp_path / "docs.jsonl").write_text("\n".join(rows), encoding="utf-8")
    (tmp_path / "psif.toml").write_text("[fit]\ntopics = 2\n", encoding="utf-8")
    for command in commands:
        program = str(Path(sys.executable).with_name("psif"))
        arguments = [program, *shlex.split(command)[1:]]
        done = subprocess.run(arguments, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "vectors.parquet").exists()


def test_make_targets_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = {a or b for a, b in re.findall(r"^make (\w+)|`make (\w+)`", README, re.MULTILINE)}
    assert {"demo", "test"} <= targets
    for target in targets:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_links_lead_somewhere():
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    for page in pages:
        for link in re.findall(r"\]\(([^)#\s]+)\)", page.read_text(encoding="utf-8")):
            if not link.startswith("http"):
                assert (page.parent / link).exists(), f"{page.name}: {link}"
