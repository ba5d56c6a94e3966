"""The first snippet and the commands of docs/distributed.md, on a small corpus."""

import gzip
import re
import shlex
from glob import glob
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import distributed
from psif import PSIF
from psif.cli.main import psif
from tests import corpora

pytestmark = [
    pytest.mark.xdist_group("distributed"),
    pytest.mark.filterwarnings("ignore"),  # a corpus of a few words
]
PAGE = (Path(__file__).parents[2] / "docs" / "distributed.md").read_text(encoding="utf-8")


def test_the_snippet(client, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("corpus").mkdir()
    for i in range(2):
        text = "".join(f"{line}\n" for line in corpora.texts(40, seed=i))
        Path(f"corpus/{i}.txt.gz").write_bytes(gzip.compress(text.encode()))
    code = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)[1]
    assert code.count("s3://") == 2
    # This cluster, this disk, and as few numbers as such a corpus has.
    code = code.replace("s3://", "").replace("n_dims=256", "n_dims=8, n_topics=3, dim=6")
    monkeypatch.setattr(distributed, "Client", lambda address: client)
    exec(code, {})
    assert len(pq.read_table("vectors/corpus")) == 80
    assert PSIF.load("corpus.model").n_features_out_ == 8


def test_the_commands(client, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("parts").mkdir()
    for i in range(2):
        lines = [f'{{"text": "{text}"}}\n' for text in corpora.texts(40, seed=i)]
        Path(f"parts/{i}.jsonl").write_text("".join(lines))
    commands = re.findall(r"^\$ psif (.*)$", PAGE, re.MULTILINE)
    assert len(commands) == 2
    for line in commands:
        words = shlex.split(line)
        if words[0] == "fit":
            words += ["-k", "3", "--set", "dim=6"]
        where = re.sub(
            r"tcp://\S+|local:8", client.scheduler.address, words[words.index("--cluster") + 1]
        )
        words[words.index("--cluster") + 1] = where
        args = [found for word in words for found in (sorted(glob(word)) or [word])]
        result = CliRunner().invoke(psif, args)
        assert result.exit_code == 0, result.output
    assert len(pq.read_table("vectors")) == 80
