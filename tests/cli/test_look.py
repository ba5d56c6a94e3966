import json
import re
import subprocess
import sys

import numpy as np
import pytest

from psif.model.estimator import PSIF
from tests.cli.conftest import SMALL, SUBJECTS, make_docs, write_jsonl


def test_fit_saves_a_model_with_its_options(run, tmp_path):
    write_jsonl(tmp_path / "docs.jsonl", make_docs(60))
    result = run(
        "fit", "docs.jsonl", "-o", "m", *SMALL, "--stop-words", "english", "--min-length", 2
    )
    assert "fitted on 60 documents" in result.stderr
    model = PSIF.load(tmp_path / "m")
    assert "the" not in model.vocabulary_.index
    assert model.tokenizer_.min_length == 2
    assert '"stop_words"' in (tmp_path / "m" / "README.md").read_text()


def test_large_inputs_are_sampled_for_fitting(run, tmp_path):
    write_jsonl(tmp_path / "docs.jsonl", make_docs(300))
    result = run("embed", "docs.jsonl", "-o", "v.npy", *SMALL, "--fit-limit", "0.01")
    told = re.search(
        r"learning from (\d+) of 300 documents, drawn at random: ([\d.]+) of ([\d.]+) million",
        result.stderr,
    )
    n_docs, used, total = int(told[1]), float(told[2]) * 1e6, float(told[3]) * 1e6
    assert n_docs == PSIF.load(tmp_path / "v.model").vocabulary_.n_docs
    # All of the limit is used, but for a character per document and less than a word.
    assert 10_000 - n_docs - 10 < used <= 10_000
    assert total == pytest.approx(sum(len(doc["text"]) for doc in make_docs(300)), rel=1e-3)
    assert len(np.load("v.npy")) == 300
    run("fit", "docs.jsonl", "-o", "all", *SMALL, "--fit-limit", "0")
    assert PSIF.load(tmp_path / "all").vocabulary_.n_docs == 300


def test_same_seed_same_model(run, tmp_path):
    write_jsonl(tmp_path / "docs.jsonl", make_docs(60))
    run("fit", "docs.jsonl", "-o", "a", *SMALL)
    run("fit", "docs.jsonl", "-o", "b", *SMALL)
    first, second = ((tmp_path / m / "model.safetensors").read_bytes() for m in "ab")
    assert first == second


def test_topics(run, trained):
    result = run("topics", trained[0], "-n", 4)
    assert len(result.stdout.splitlines()) == 3
    topics = json.loads(run("topics", trained[0], "-n", 4, "--json").stdout)
    assert [set(topic) >= {"index", "share", "words"} for topic in topics] == [True] * 3
    assert topics[0]["share"] >= topics[1]["share"]


def test_senses_of_a_word(run, trained):
    senses = json.loads(run("topics", trained[0], "--word", "bank", "-n", 3, "--json").stdout)
    assert 1 <= len(senses) <= 3
    assert set(senses[0]) == {"topic", "code", "share", "words"}
    assert senses[0]["share"] == max(sense["share"] for sense in senses)
    assert run("topics", trained[0], "--word", "bank").stdout.startswith("topic ")
    assert (
        "does not know the word 'qqq'" in run("topics", trained[0], "--word", "qqq", code=1).stderr
    )


def test_explain_sums_to_the_similarity(run, trained, tmp_path):
    (tmp_path / "a.txt").write_text("cat dog the")
    args = ["explain", trained[0], "@a.txt", "horse cow and"]
    assert run(*args).stdout.startswith("similarity ")
    parts = json.loads(run(*args, "--json").stdout)
    total = sum(topic["share"] for topic in parts["topics"]) + parts["removed"]
    assert total == pytest.approx(parts["score"])
    expected = PSIF.load(trained[0]).similarity("cat dog the", "horse cow and")
    assert parts["score"] == pytest.approx(expected, abs=1e-5)
    assert "none.txt" in run("explain", trained[0], "@none.txt", "b", code=1).stderr


def test_similar_finds_the_same_subject(run, trained):
    model, _, vectors = trained
    for subject, words in SUBJECTS.items():
        found = json.loads(
            run("similar", model, vectors, " ".join(words), "-n", 5, "--json").stdout
        )
        assert [row["id"].split("-")[0] for row in found] == [subject] * 5
        scores = [row["score"] for row in found]
        assert scores == sorted(scores, reverse=True)
    lines = run("similar", model, vectors, "--id", "sea-2", "-n", 3).stdout.splitlines()
    assert len(lines) == 3
    assert all("sea-" in line and "sea-2 " not in line + " " for line in lines)


def test_similar_reads_the_query_from_standard_input(run, trained):
    model, _, vectors = trained
    given = run("similar", model, vectors, "cat dog").stdout
    assert run("similar", model, vectors, "-", stdin="cat dog").stdout == given


def test_explain_needs_no_model(run):
    texts = ["A man plays the guitar.", "Someone makes music."]
    found = json.loads(run("explain", *texts, "--json").stdout)
    assert found["score"] > 0.2
    assert json.loads(run("explain", "english", *texts, "--json").stdout) == found


def test_similar_takes_the_model_beside_the_vectors(run, trained):
    model, _, vectors = trained
    assert (
        run("similar", vectors, "cat dog").stdout
        == run("similar", model, vectors, "cat dog").stdout
    )


def test_similar_errors(run, trained, tmp_path):
    model, _, vectors = trained
    assert (
        "no document has the id 'x'" in run("similar", model, vectors, "--id", "x", code=1).stderr
    )
    assert "give either QUERY or --id" in run("similar", model, vectors, code=2).stderr
    np.save(tmp_path / "other.npy", np.ones((2, 3), dtype=np.float32))
    assert "but the model makes 24" in run("similar", model, "other.npy", "cat", code=1).stderr
    (tmp_path / "junk.parquet").write_text("junk")
    assert "not a readable parquet" in run("similar", model, "junk.parquet", "cat", code=1).stderr
    assert "all similarities are 0" in run("similar", model, vectors, "zzz").stderr


def test_info(run, trained):
    facts = json.loads(run("info", trained[0], "--json").stdout)
    assert facts["topics"] == 3
    assert facts["numbers_per_vector"] == 24
    assert facts["fitted_documents"] == 90
    assert "n_topics" in run("info", trained[0]).stdout
    assert "nowhere" in run("info", "nowhere", code=1).stderr


def test_buckets_for_unknown_words_are_no_words(run, tmp_path):
    write_jsonl(tmp_path / "docs.jsonl", make_docs(60))
    plain = run("fit", "docs.jsonl", "-o", "plain", *SMALL, "--json")
    hashed = run("fit", "docs.jsonl", "-o", "hashed", *SMALL, "--set", "unknown=hash", "--json")
    assert json.loads(plain.stdout)["words"] == json.loads(hashed.stdout)["words"]
    facts = [json.loads(run("info", name, "--json").stdout) for name in ("plain", "hashed")]
    assert facts[0]["words"] == facts[1]["words"]


def test_data(run, tmp_path, monkeypatch):
    import gzip

    monkeypatch.delenv("PSIF_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert "`psif data fetch TASK` downloads" in run("data", "list", code=1).stderr
    (tmp_path / "sets" / "small").mkdir(parents=True)
    (tmp_path / "sets" / "small" / "train.jsonl.gz").write_bytes(gzip.compress(b"{}\n{}\n"))
    monkeypatch.setenv("PSIF_DATA", str(tmp_path / "sets"))
    assert run("data", "list").stdout == "small  train 2\n"
    assert json.loads(run("data", "list", "--json").stdout)[0]["rows"] == 2
    assert run("data", "path", "small").stdout.strip() == str(tmp_path / "sets" / "small")
    assert "no set is called 'x'" in run("data", "path", "x", code=1).stderr


def test_vectors(run, tmp_path, monkeypatch):
    monkeypatch.delenv("PSIF_VECTORS", raising=False)
    write_jsonl(tmp_path / "docs.jsonl", make_docs(60))
    run("vectors", "train", "docs.jsonl", "-o", "table", "--dim", 4, "--min-count", 1)
    assert "dimensions" in run("vectors", "info", "table").stdout
    facts = json.loads(run("vectors", "info", "table", "--json").stdout)
    assert facts["dimensions"] == 4
    run("vectors", "convert", "table", "top", "--top", 5)
    assert json.loads(run("vectors", "info", "top", "--json").stdout)["words"] == 5
    assert "ppmi" in json.loads(run("vectors", "list", "--json").stdout)["trainers"]
    assert "ppmi" in run("vectors", "list").stdout


def test_every_command_has_help_with_examples(run):
    from psif.cli.main import COMMANDS

    assert "Start here" in run("--help").stdout
    for name in COMMANDS:
        lines = run(name, "--help").stdout.splitlines()
        first = next(i for i, line in enumerate(lines) if line.strip() in ("Example:", "Examples:"))
        # One to a line, to be copied.
        assert lines[first + 1].startswith("    "), name


def test_as_a_module():
    command = [sys.executable, "-m", "psif", "--version"]
    assert subprocess.run(command, check=True, capture_output=True).stdout.startswith(b"psif ")


def test_a_misspelt_command(run):
    assert "no command 'embedd'. Did you mean 'embed'?" in run("embedd", code=2).stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(run, shell):
    assert "_PSIF_COMPLETE" in run("completion", shell).stdout


def test_help_imports_nothing_heavy():
    code = (
        "import sys; from psif.cli.main import psif\n"
        "try: psif(['--help'])\nexcept SystemExit: pass\n"
        "heavy = {'numpy', 'numba', 'sklearn', 'scipy', 'pyarrow', 'rich'} & set(sys.modules)\n"
        "sys.exit(str(heavy) if heavy else 0)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr


def test_data_fetch(run, tmp_path, monkeypatch):
    monkeypatch.delenv("PSIF_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert "20news: https://ndownloader.figshare.com/" in run("data", "fetch", "--list").stdout
    assert "name a TASK" in run("data", "fetch", code=2).stderr
    refused = run("data", "fetch", "recipe", code=1).stderr
    assert "recipe is not served to everybody" in refused
    assert "`psif data fetch recipe --from FILE`" in refused
    (tmp_path / "r8-train.txt").write_text("earn\tnet rose\n")
    (tmp_path / "r8-test.txt").write_text("earn\tloss\n")
    given = ["data", "fetch", "r8", "--from", "r8-train.txt", "--from", "r8-test.txt"]
    assert "got test 1, train 1 rows, expected test 2,189" in run(*given, code=1).stderr
    done = run(*given, "--accept")
    assert "reuters_r8  train 1, test 1" in done.stdout
    assert "may differ a little" in done.stderr
    assert "reuters_r8  test 1, train 1" in run("data", "list").stdout
    assert "one TASK" in run("data", "fetch", "sts", "--from", "r8-test.txt", code=2).stderr


@pytest.mark.skipif(sys.platform == "win32", reason="measures memory as Unix does")
def test_memory_of_a_fit_on_one_long_line(tmp_path):
    size = 30_000_000
    line = " ".join(f"{word}{i}" for i in range(100) for word in ("cat", "dog", "sea")) + " "
    lines = [" ".join(doc["text"].split()[::-1]) for doc in make_docs(30)]
    for name, n in (("short.txt", 1), ("long.txt", size // len(line))):
        (tmp_path / name).write_text(line * n + "\n" + "\n".join(lines) + "\n")

    def peak(name):
        code = (
            "import resource, sys; from psif.cli.main import psif\n"
            "psif(sys.argv[1:], standalone_mode=False)\n"
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
        )
        settings = ["--set", "dim=4", "--set", "min_count=1", "--removed", "0"]
        args = ["fit", name, "-o", f"{name}.model", *settings, "--fit-limit", "0.1"]
        command = [sys.executable, "-c", code, *args]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return int(done.stdout) * (1 if sys.platform == "darwin" else 1024)

    assert peak("long.txt") - peak("short.txt") < 5 * size


def test_similar_shows_texts_and_reads_the_folder_of_a_cluster(run, trained, tmp_path):
    import shutil

    model, docs, _ = trained
    folder = tmp_path / "folder"
    folder.mkdir()
    run("embed", docs, "--model", model, "-o", "one.parquet")
    shutil.copy("one.parquet", folder / "part-00000.parquet")
    one = run("similar", model, "one.parquet", "cat dog", "--json").stdout
    assert run("similar", model, folder, "cat dog", "--json").stdout == one
    records = [json.loads(line) for line in docs.read_text().splitlines()]
    texts = {record["id"]: record["text"] for record in records}
    found = json.loads(run("similar", model, folder, "cat", "--texts", docs, "--json").stdout)
    assert [row["text"] for row in found] == [texts[row["id"]] for row in found]
    shown = run("similar", model, folder, "--id", "sea-2", "--texts", docs, "-n", 1).stdout
    assert shown.splitlines()[1].strip() in texts.values()
    (tmp_path / "empty").mkdir()
    assert "a folder without vectors" in run("similar", model, "empty", "cat", code=1).stderr
