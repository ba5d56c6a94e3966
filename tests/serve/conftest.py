import pytest

from tests.serve.running import Running, make_folders


@pytest.fixture(scope="session")
def folders(tmp_path_factory):
    return make_folders(tmp_path_factory.mktemp("served"))


@pytest.fixture(scope="module")
def server(folders, tmp_path_factory):
    """One server with a model of every kind, shared by the tests of a module."""
    arguments = ["full=" + str(folders["full"]), "small=" + str(folders["compact"])]
    arguments += [str(folders["docs.index"]), str(folders["kinds.clf"]), "-v"]
    running = Running(*arguments, cwd=tmp_path_factory.mktemp("cwd"))
    yield running
    assert running.stop() == 0
