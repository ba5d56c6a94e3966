import os

import pytest

from psif import InputError
from psif.files.identity import refuse_equal_outputs, refuse_inputs_as_outputs


def make(tmp_path):
    document = tmp_path / "in.jsonl"
    document.write_text("{}")
    return document


@pytest.mark.parametrize("kind", ["same", "spelling", "hard link", "symbolic link", "in a folder"])
def test_an_input_is_never_an_output(tmp_path, kind):
    document = make(tmp_path)
    inputs = [document]
    output = tmp_path / "out.jsonl"
    if kind == "same":
        output = document
    if kind == "spelling":
        output = f"{tmp_path}/./in.jsonl"
    if kind == "hard link":
        os.link(document, output)
    if kind == "symbolic link":
        output.symlink_to(document)
    if kind == "in a folder":
        (tmp_path / "texts").mkdir()
        output = tmp_path / "texts" / "a.txt"
        output.write_text("text")
        inputs = [tmp_path / "texts"]
    with pytest.raises(InputError, match=r"is an input .* would destroy it. Give another --output"):
        refuse_inputs_as_outputs([tmp_path / "new", output], ["-", *inputs])


def test_other_outputs_are_allowed(tmp_path):
    document = make(tmp_path)
    copy = tmp_path / "copy.jsonl"
    copy.write_text("{}")
    refuse_inputs_as_outputs([copy, tmp_path / "new"], ["-", document, tmp_path / "missing"])


def test_a_file_of_a_model_is_never_an_output(tmp_path):
    model = tmp_path / "m"
    (model / "part").mkdir(parents=True)
    file = model / "part" / "model.safetensors"
    file.write_text("arrays")
    with pytest.raises(InputError, match=r"m.part.model\.safetensors is an input"):
        refuse_inputs_as_outputs([file], [], models=[None, "ppmi", model])


def test_two_outputs_are_two_files(tmp_path):
    made = make(tmp_path)
    os.link(made, tmp_path / "again.jsonl")
    for first, second in [("a.csv", "./a.csv"), ("in.jsonl", "again.jsonl")]:
        given = {"--output": f"{tmp_path}/{first}", "--report": f"{tmp_path}/{second}"}
        with pytest.raises(InputError, match="is given for both --output and --report"):
            refuse_equal_outputs(given)
    refuse_equal_outputs({"--output": tmp_path / "a", "--html": None, "--save": tmp_path / "b"})
