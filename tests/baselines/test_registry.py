import subprocess
import sys

import pytest

from psif import InputError
from psif.baselines import METHODS, make_method
from psif.baselines.bow import BagOfWords


def test_a_misspelt_method_is_named():
    with pytest.raises(InputError, match=r"no method is called 'tfidv'. Did you mean 'tfidf'\?"):
        make_method("tfidv")


def test_a_misspelt_option_is_named():
    with pytest.raises(InputError, match=r"'sif' has no option 'n_remove'. Did you mean 'n_remov"):
        make_method("sif", n_remove=2)
    with pytest.raises(InputError, match=r"'usif' has no option 'lenght'. Did you mean 'length'"):
        make_method("usif", lenght=2)


def test_common_options_go_only_where_they_are_used():
    method = make_method("bow", vectors=object(), tokenizer="paper", random_state=1, n_jobs=1)
    assert isinstance(method, BagOfWords)
    assert method.get_params() == {
        "tokenizer": "paper",
        "min_count": 1,
        "random_state": 1,
        "n_jobs": 1,
        "binary": False,
    }


def test_own_vectors_stay_when_others_are_offered():
    assert make_method("doc2vecc", vectors=object()).vectors == "doc2vecc"
    assert make_method("psif-doc2vecc", vectors=object(), doc2vecc="path").vectors == "path"


@pytest.mark.parametrize("name", METHODS)
def test_entries_are_whole(name):
    method = METHODS[name]
    assert method.name == name
    assert method.kind in ("vectors", "distances", "classifier", "ranking")
    assert "(" in method.citation
    assert "vectors" in method.options() or not method.needs_word_vectors
    assert method.factory().get_params()


def test_the_list_of_methods_is_light():
    code = "import sys, psif.baselines; print('sklearn' in sys.modules, 'numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
