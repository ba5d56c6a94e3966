import pytest

from tests.corpora import saved_model, texts


@pytest.fixture(scope="session")
def saved(tmp_path_factory):
    """A fitted model, its folder, and the vectors of some texts."""
    model, folder = saved_model(tmp_path_factory.mktemp("adapted") / "model")
    asked = [*texts(n_docs=6, seed=4), "nothing known"]
    return model, folder, asked
