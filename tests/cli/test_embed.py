import gzip
import itertools
import json
import shutil
import sys

import numpy as np
import pandas as pd
import pytest

from psif.cli import embedding
from psif.files import batches
from psif.files.vector_files import read_vectors
from psif.files.vector_origin import vector_model
from psif.files.writers import EmbedJob
from psif.model.estimator import PSIF
from psif.runtime.norms import unit_rows
from tests.cli.conftest import SMALL, make_docs, write_jsonl


def stored(path):
    ids, rows = zip(*read_vectors(path), strict=True)
    return list(itertools.chain(*ids)), np.concatenate(rows)


def folder_content(path):
    return sorted(file.relative_to(path).as_posix() for file in path.rglob("*") if file.is_file())


@pytest.mark.parametrize("ending", [".npy", ".parquet", ".jsonl", ".safetensors"])
@pytest.mark.parametrize("dtype", ["float32", "float16", "int8"])
def test_vectors_are_those_of_the_model(run, trained, ending, dtype):
    model, docs, _ = trained
    result = run("embed", docs, "--model", model, "-o", f"out{ending}", "--dtype", dtype)
    assert result.stdout == ""
    ids, rows = stored(f"out{ending}")
    records = [json.loads(line) for line in docs.read_text().splitlines()]
    assert ids == [record["id"] for record in records]
    expected = PSIF.load(model).transform([record["text"] for record in records])
    cosines = (rows * expected).sum(1) / np.linalg.norm(rows, axis=1)
    np.testing.assert_allclose(cosines, np.linalg.norm(expected, axis=1), rtol=1e-3)
    if dtype == "float32":
        np.testing.assert_array_equal(rows, expected)


def test_without_a_model_one_is_fitted_and_saved_beside(run, tmp_path):
    write_jsonl(tmp_path / "docs.jsonl", make_docs(60))
    run("embed", "docs.jsonl", "-o", "v.npy", *SMALL)
    assert folder_content(tmp_path) == [
        "docs.jsonl",
        "v.model/README.md",
        "v.model/config.json",
        "v.model/model.safetensors",
        "v.model/vocab.txt",
        "v.npy",
        "v.npy.ids.jsonl",
    ]
    card = (tmp_path / "v.model" / "README.md").read_text()
    assert '"n_topics": 3' in card
    assert '"docs.jsonl"' in card
    run("embed", "docs.jsonl", "--model", "v.model", "-o", "again.npy")
    assert (tmp_path / "v.npy").read_bytes() == (tmp_path / "again.npy").read_bytes()


def test_many_inputs_standard_input_and_folders(run, trained, tmp_path):
    model = trained[0]
    (tmp_path / "a.txt").write_text("cat dog\nship wave\n")
    (tmp_path / "b.csv.gz").write_bytes(gzip.compress(b'body,n\n"bank, stock",1\n'))
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "x.txt").write_text("horse")
    run("embed", "a.txt", "b.csv.gz", "folder", "-", "--text-column", "body", "--model", model,
        "-o", "v.jsonl", stdin="cow\n")  # fmt: skip
    ids, rows = stored("v.jsonl")
    assert ids == ["0", "1", "2", ["folder", "x.txt"][1], "4"]
    expected = PSIF.load(model).transform(["cat dog", "ship wave", "bank, stock", "horse", "cow"])
    np.testing.assert_allclose(rows, expected, rtol=1e-6)


def test_standard_input_is_kept_for_fitting_and_embedding(run, tmp_path):
    text = "".join(doc["text"] + "\n" for doc in make_docs(60))
    run("embed", "-", "-o", "v.parquet", *SMALL, stdin=text)
    assert len(stored("v.parquet")[0]) == 60


def test_a_summary_for_machines(run, trained):
    args = ["embed", trained[1], "--model", trained[0], "-o", "v.npy", "--json"]
    facts = json.loads(run(*args).stdout)
    assert facts["documents"] == 90
    assert facts["dims"] == 24
    assert facts["n_known"] == facts["n_words"] == 90 * 14


def test_a_handful_of_lines_needs_no_options(run, tmp_path):
    (tmp_path / "few.txt").write_text("katzen schnurren\nhunde bellen\nkatzen und hunde spielen\n")
    result = run("embed", "few.txt", "-o", "v.npy")
    assert "only 6 words: topics: 1 (-k N chooses another number)" in result.stderr
    assert len(np.load("v.npy")) == 3


def test_a_handful_of_english_lines_is_joined_with_the_english_table(run, tmp_path):
    (tmp_path / "few.txt").write_text("cats purr and sleep\ndogs bark\ncats and dogs play\n")
    result = run("embed", "few.txt", "-o", "v.npy")
    assert "only 10 words: joined with psif's english table" in result.stderr
    assert np.load("v.npy").shape == (3, 256)
    assert "vectors             english\n" in run("info", "v.model").stdout
    result = run("embed", "few.txt", "-o", "w.npy", "--vectors", "ppmi")
    assert "only 7 words: topics: 1" in result.stderr


def test_compact_models_can_give_fewer_numbers(run, tmp_path):
    write_jsonl(tmp_path / "docs.jsonl", make_docs(60))
    run("embed", "docs.jsonl", "-o", "v.npy", *SMALL, "--dims", "6")
    run("embed", "docs.jsonl", "--model", "v.model", "--dims", "2", "-o", "few.npy")
    expected = unit_rows(np.load("v.npy")[:, :2])
    np.testing.assert_allclose(np.load("few.npy"), expected, atol=1e-6)
    result = run("embed", "docs.jsonl", "--model", "v.model", "--dims", "7", "-o", "x.npy", code=1)
    assert "gives 6 numbers per vector; fit a model with --dims 7" in result.stderr


def test_compact_models_with_word_columns_are_not_cut(run, tmp_path):
    docs = make_docs(60)
    write_jsonl(tmp_path / "docs.jsonl", docs)
    model = PSIF(n_topics=3, dim=8, min_count=1, word_columns=0.3, n_dims=6, random_state=0)
    model.fit([doc["text"] for doc in docs]).save(tmp_path / "m")
    result = run("embed", "docs.jsonl", "--model", "m", "--dims", "2", "-o", "x.npy", code=1)
    assert "gives 6 numbers per vector; fit a model with --dims 2" in result.stderr
    assert not (tmp_path / "x.npy").exists()


def test_documents_without_known_words_are_told(run, trained, tmp_path):
    (tmp_path / "x.txt").write_text("zzz\ncat\n\n")
    result = run("embed", "x.txt", "--model", trained[0], "-o", "v.npy")
    assert "2 of 3 documents have no known word; their vectors are zero" in result.stderr
    assert not np.load("v.npy")[[0, 2]].any()
    assert run("-q", "embed", "x.txt", "--model", trained[0], "-o", "v.npy").stderr == ""


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("none.txt", None, "none.txt: no such file or folder"),
        ("empty.txt", b"", "empty.txt: empty, there is no document in it"),
        ("image.txt", b"\x89PNG\r\n\0\0", "image.txt: looks like a binary file"),
        ("bad.jsonl", b'{"text": "a"}\n{"text"', "bad.jsonl, line 2: not valid JSON"),
        ("col.csv", b"title,body\na,b\n", "no column 'text'; its columns are title, body"),
        ("odd.xyz", b"text", "odd.xyz: cannot tell its format from .xyz"),
    ],
)
@pytest.mark.parametrize("fitting", [False, True])
def test_errors_are_one_line_and_leave_nothing(
    run, trained, tmp_path, name, content, message, fitting
):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    (tmp_path / "out.npy").write_text("earlier")
    model = SMALL if fitting else ["--model", trained[0]]
    result = run("embed", name, "-o", "out.npy", *model, code=1)
    assert message in result.stderr
    assert result.stdout == ""
    assert (tmp_path / "out.npy").read_text() == "earlier"
    assert folder_content(tmp_path) == sorted(
        {"out.npy"} | ({name} if content is not None else set())
    )


def test_bad_lines_can_be_skipped(run, trained, tmp_path):
    (tmp_path / "bad.jsonl").write_text('{"text": "cat"}\n{"text"\n{"text": "ship"}\n')
    result = run("embed", "bad.jsonl", "--on-error", "skip", "--model", trained[0], "-o", "v.npy")
    assert "1 records were skipped, the first: bad.jsonl, line 2: not valid JSON" in result.stderr
    assert len(np.load("v.npy")) == 2


def test_undecodable_bytes_are_counted(run, trained, tmp_path):
    (tmp_path / "x.txt").write_bytes("Grüße Öl Übel cat".encode() + b"\xff\n")
    result = run("embed", "x.txt", "--model", trained[0], "-o", "v.npy")
    assert "1 undecodable characters became U+FFFD" in result.stderr


def test_a_model_of_a_newer_version(run, trained, tmp_path):
    shutil.copytree(trained[0], tmp_path / "new.model")
    config = json.loads((tmp_path / "new.model" / "config.json").read_text())
    for key, value in config.items():
        if "format" in key and isinstance(value, int):
            config[key] = value + 1000
    (tmp_path / "new.model" / "config.json").write_text(json.dumps(config))
    result = run("embed", trained[1], "--model", "new.model", "-o", "v.npy", code=1)
    assert "newer" in result.stderr
    result = run("embed", trained[1], "--model", "nowhere", "-o", "v.npy", code=1)
    assert "nowhere" in result.stderr


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["-o", "v.npy"], "Missing argument 'INPUT...'"),
        (["x.txt"], "Missing option '-o'"),
        (["x.txt", "-o", "v.npy", "--dtype", "int4"], "'int4' is not one of"),
        (["x.txt", "-o", "v.npy", "--model", "m", "-k", "4"], "--topics is for fitting and has no"),
        (["x.txt", "-o", "v.npy", "-k", "many"], "'many' is neither a number nor 'auto'"),
        (["x.txt", "-o", "v.npy", "--set", "dim"], "expected NAME=VALUE"),
    ],
)
def test_wrong_usage(run, args, message):
    assert message in run("embed", *args, code=2).stderr


def test_an_unknown_parameter_is_named(run, tmp_path):
    (tmp_path / "x.txt").write_text("a b\n")
    result = run("embed", "x.txt", "-o", "v.npy", "--set", "dimm=3", code=1)
    assert "PSIF has no parameter 'dimm'; it has a, codes" in result.stderr
    assert not (tmp_path / "v.npy.part").exists()


class Broken(Exception):
    pass


def test_resume_goes_on_after_the_last_whole_chunk(run, trained, tmp_path, monkeypatch):
    monkeypatch.setattr(batches, "_MOST_ROWS", 10)
    model, docs, _ = trained
    run("embed", docs, "--model", model, "-o", "whole.parquet")
    calls = []
    vectors = embedding.EmbedRun._vectors

    def fails_late(self, *args):
        calls.append(1)
        if len(calls) == 5:
            raise Broken("oh")
        return vectors(self, *args)

    monkeypatch.setattr(embedding.EmbedRun, "_vectors", fails_late)
    result = run("embed", docs, "--model", model, "-o", "v.parquet", code=1)
    assert "unexpected Broken: oh. psif --debug shows where" in result.stderr
    assert "add --resume to continue" in result.stderr
    assert not (tmp_path / "v.parquet").exists()
    result = run("embed", docs, "--model", model, "-o", "v.parquet", "--resume")
    assert "resuming after 40 documents" in result.stderr
    assert len(calls) == 10
    assert (tmp_path / "v.parquet").read_bytes() == (tmp_path / "whole.parquet").read_bytes()
    assert not (tmp_path / "v.parquet.part").exists()


def test_resume_refuses_another_input_or_option(run, trained, tmp_path, monkeypatch):
    monkeypatch.setattr(batches, "_MOST_ROWS", 10)
    docs = write_jsonl(tmp_path / "docs.jsonl", make_docs(90))
    vectors = embedding.EmbedRun._vectors
    calls = []

    def fails_late(self, *args):
        calls.append(1)
        if len(calls) == 3:
            raise Broken
        return vectors(self, *args)

    monkeypatch.setattr(embedding.EmbedRun, "_vectors", fails_late)
    run("embed", docs, "-o", "v.npy", *SMALL, code=1)
    monkeypatch.setattr(embedding.EmbedRun, "_vectors", vectors)
    result = run("embed", docs, "-o", "v.npy", "-k", "4", "--resume", code=1)
    assert "an option of fitting changed since the interrupted run" in result.stderr
    result = run("embed", docs, "-o", "v.npy", *SMALL, "--dtype", "int8", "--resume", code=1)
    assert "cannot resume: --dtype changed" in result.stderr
    write_jsonl(docs, make_docs(90, seed=1))
    result = run("embed", docs, "-o", "v.npy", *SMALL, "--resume", code=1)
    assert "the input or an option of fitting changed" in result.stderr
    run("embed", docs, "-o", "v.npy", *SMALL)
    assert len(np.load("v.npy")) == 90


def test_resume_compares_standard_input(run, trained, tmp_path, monkeypatch):
    monkeypatch.setattr(batches, "_MOST_ROWS", 10)
    text = "".join(doc["text"] + "\n" for doc in make_docs(60))
    args = ["embed", "-", "--model", trained[0], "-o", "v.npy"]
    run(*args, stdin=text)
    whole = (tmp_path / "v.npy").read_bytes()
    finish = EmbedJob.finish

    def fails(self):
        raise Broken

    monkeypatch.setattr(EmbedJob, "finish", fails)
    run(*args, stdin=text, code=1)
    monkeypatch.setattr(EmbedJob, "finish", finish)
    shorter = "".join(text.splitlines(keepends=True)[:40])
    other = text.replace("cat", "dog")
    for changed in (shorter, other):
        result = run(*args, "--resume", stdin=changed, code=1)
        assert "cannot resume: the input changed" in result.stderr
    run(*args, "--resume", stdin=text)
    assert (tmp_path / "v.npy").read_bytes() == whole


def test_ctrl_c_is_one_line(run, trained, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(embedding.EmbedRun, "_vectors", interrupted)
    result = run("embed", trained[1], "--model", trained[0], "-o", "v.npy", code=1)
    assert "Error: interrupted." in result.stderr


def test_debug_shows_the_traceback(run, tmp_path):
    from click.testing import CliRunner

    from psif.cli.main import psif

    result = CliRunner().invoke(psif, ["--debug", "embed", "none.txt", "-o", "v.npy"])
    assert isinstance(result.exception, ValueError)


def test_pandas_reads_the_output(run, trained):
    run("embed", trained[1], "--model", trained[0], "-o", "v.parquet", "--dtype", "float16")
    table = pd.read_parquet("v.parquet")
    assert list(table.columns) == ["id", "vector"]
    assert table["vector"][0].dtype == np.float16


def test_progress_is_silent_in_a_short_log(run, trained):
    result = run("-v", "embed", trained[1], "--model", trained[0], "-o", "v.npy")
    assert "numbers per vector" in result.stderr
    assert "\r" not in result.stderr
    assert not sys.stderr.closed


def documents_read(monkeypatch):
    """Count documents that are read and texts that are tokenised."""
    from psif.files.readers import documents
    from psif.text import vocabulary

    seen = {"read": 0, "tokenised": 0}
    read, check = documents.named_documents, vocabulary.check_text

    def counting_read(*args, **kwargs):
        for item in read(*args, **kwargs):
            seen["read"] += 1
            yield item

    def counting_check(*args):
        seen["tokenised"] += 1
        return check(*args)

    monkeypatch.setattr(documents, "named_documents", counting_read)
    monkeypatch.setattr(vocabulary, "check_text", counting_check)
    return seen


def test_documents_are_read_and_tokenised_once(run, tmp_path, monkeypatch):
    write_jsonl(tmp_path / "docs.jsonl", make_docs(60))
    seen = documents_read(monkeypatch)
    run("embed", "docs.jsonl", "-o", "once.npy", *SMALL)
    assert seen == {"read": 60, "tokenised": 60}
    # A model of a sample embeds the documents in a second pass, and vectors do not depend on it.
    run("embed", "docs.jsonl", "--model", "once.model", "-o", "again.npy")
    assert seen == {"read": 120, "tokenised": 120}
    assert np.array_equal(np.load("once.npy"), np.load("again.npy"))


def test_a_model_of_a_sample_embeds_all_documents(run, tmp_path):
    docs = make_docs(90)
    write_jsonl(tmp_path / "docs.jsonl", docs)
    size = sum(len(doc["text"]) for doc in docs)
    run("embed", "docs.jsonl", "-o", "v.npy", "--fit-limit", str(size / 3e6), *SMALL)
    assert len(np.load("v.npy")) == 90
    run("embed", "docs.jsonl", "--model", "v.model", "-o", "again.npy")
    assert np.array_equal(np.load("v.npy"), np.load("again.npy"))


@pytest.mark.parametrize("output", ["docs.jsonl", "./docs.jsonl", "link.jsonl", "hard.jsonl"])
def test_the_input_is_never_the_output(run, trained, tmp_path, output):
    docs = write_jsonl(tmp_path / "docs.jsonl", make_docs(9))
    before = docs.read_bytes()
    (tmp_path / "link.jsonl").symlink_to(docs)
    (tmp_path / "hard.jsonl").hardlink_to(docs)
    for options in ([], ["--model", trained[0]]):
        result = run("embed", "docs.jsonl", "-o", output, *options, code=1)
        assert "writing there would destroy it" in result.stderr
    assert docs.read_bytes() == before


def test_fit_does_not_replace_its_input_folder(run, tmp_path):
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text("cat dog")
    result = run("fit", "texts", "-o", "texts", code=1)
    assert "holds other things than a psif model (a.txt)" in result.stderr
    assert (tmp_path / "texts" / "a.txt").read_text() == "cat dog"


def test_a_foreign_working_folder_is_not_emptied(run, trained, tmp_path):
    thesis = tmp_path / "v.npy.part" / "thesis.tex"
    thesis.parent.mkdir()
    thesis.write_text("years of work")
    args = ["embed", trained[1], "--model", trained[0], "-o", "v.npy"]
    for options in ([], ["--resume"]):
        result = run(*args, *options, code=1)
        assert "holds files that psif did not write (thesis.tex)" in result.stderr
    assert thesis.read_text() == "years of work"
    (tmp_path / "home").mkdir()
    thesis.rename(tmp_path / "home" / "thesis.tex")
    (tmp_path / "v.npy.part").rmdir()
    (tmp_path / "v.npy.part").symlink_to(tmp_path / "home")
    result = run(*args, code=1)
    assert "is a symbolic link" in result.stderr
    assert (tmp_path / "home" / "thesis.tex").exists()


@pytest.mark.parametrize("ending", [".npy", ".parquet", ".jsonl", ".safetensors"])
def test_vectors_know_their_model(run, tmp_path, ending):
    write_jsonl(tmp_path / "a.jsonl", make_docs(60))
    write_jsonl(tmp_path / "b.jsonl", make_docs(60, seed=1))
    run("embed", "a.jsonl", "-o", f"v{ending}", *SMALL)
    checksum = json.loads((tmp_path / "v.model" / "config.json").read_text())["checksum"]
    assert vector_model(f"v{ending}") == checksum == PSIF.load("v.model").checksum_
    # Fitting again for another format would take the model from under the vectors.
    other = "v.jsonl" if ending == ".npy" else "v.npy"
    result = run("embed", "b.jsonl", "-o", other, *SMALL, code=1)
    assert f"v.model is the model of v{ending}" in result.stderr
    run("embed", "b.jsonl", "-o", "w.npy", *SMALL)
    result = run("similar", "w.model", f"v{ending}", "cat", code=1)
    assert f"v{ending} was made by another model than w.model" in result.stderr
    run("similar", "v.model", f"v{ending}", "cat")


def test_ids_of_another_run_are_noticed(run, trained, tmp_path):
    run("embed", trained[1], "--model", trained[0], "-o", "v.npy")
    ids = tmp_path / "v.npy.ids.jsonl"
    ids.write_text(ids.read_text().replace("animals-0", "animals-X"))
    result = run("similar", trained[0], "v.npy", "cat", code=1)
    assert "v.npy.ids.jsonl does not belong to v.npy" in result.stderr
    ids.unlink()
    result = run("similar", trained[0], "v.npy", "cat", code=1)
    assert "v.npy.ids.jsonl with the ids of v.npy is missing" in result.stderr
    # NumPy itself passes over what psif adds.
    assert np.load("v.npy").shape == (90, 24)
