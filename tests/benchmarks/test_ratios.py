import pytest
from benchmarks.ratios import exponent, growth_curves, ratios
from benchmarks.targets import targets, whole_seconds
from hypothesis import given
from hypothesis import strategies as st

from tests.benchmarks.runs import results


@given(st.floats(0.1, 3.0), st.floats(1e-6, 1e3))
def test_the_exponent_of_a_power_is_its_power(power, scale):
    sizes = [1.0, 2.0, 5.0, 30.0]
    assert exponent(sizes, [scale * size**power for size in sizes]) == pytest.approx(power)


def test_ratios_by_hand():
    found = ratios(results(), 2)
    assert found["embed/model2vec/2"] == 4.0
    assert found["latency/model2vec/2"] == 2.0
    assert found["start/model2vec"] == 0.5
    assert found["fit/numpy-reference/2"] == 99.0
    assert "fit/model2vec/2" not in found  # it opens a table and learns nothing
    assert found["dictionary/ksvd"] == pytest.approx(40.0)
    assert found["roofline/2/OMP"] == 0.25
    assert found["command/embed/fit"] == 0.5  # twice the time of TF-IDF, the median of rounds
    assert not any("psif" in name for name in found)


def test_the_whole_job_is_learning_and_embedding_as_many_documents():
    assert whole_seconds(results(), "numpy-reference", 2) == 99.0 + 100 / 10.0
    assert whole_seconds(results(), "minilm", 2) is None


def verdicts(found):
    return {target.text: target for target in targets(found, 2)}


def test_targets_by_hand():
    by_text = verdicts(results())
    whole = next(c for text, c in by_text.items() if text.startswith("fit and embed"))
    assert whole.met  # 109 s to 1.1 s
    assert "99 times" in whole.measured
    static = next(c for text, c in by_text.items() if "model2vec" in text)
    assert static.met is False  # 4 times, 5 are wanted
    assert "32 times as long" in static.measured
    assert next(c for text, c in by_text.items() if "MiniLM" in text).met is None
    assert next(c for text, c in by_text.items() if "ksvd" in text).met
    assert next(c for text, c in by_text.items() if "dimensions d" in text).met
    assert by_text["one short document with a saved model, warm"].met
    embed = {text: c for text, c in by_text.items() if text.startswith("`psif embed`")}
    assert [(c.measured, c.met) for c in embed.values()] == [
        ("2.00 times", True),
        ("0.60 times", True),
    ]
    loops = next(c for text, c in by_text.items() if "roofline" in text)
    assert loops.met is False  # OMP is at 25 %


def test_few_documents_do_not_judge_a_whole_process():
    found = results()
    found["command/embed"]["mb"] = 1.0
    judged = [t for text, t in verdicts(found).items() if text.startswith("`psif embed`")]
    assert [t.met for t in judged] == [None, None]


def test_a_lower_accuracy_is_not_bought_with_speed():
    found = results()
    found["score/psif"]["accuracy"] = 83.9
    whole = next(c for text, c in verdicts(found).items() if text.startswith("fit and embed"))
    assert whole.met is False


def test_without_measurements_no_target_is_judged():
    assert {target.met for target in targets({}, 2)} == {None}


def test_growth_by_axis():
    rows = {
        f"growth/documents/{n}": {"documents": n, "fit_seconds": n / 10, "embed_seconds": n / 100}
        for n in (10, 100)
    }
    curves = growth_curves({**rows, **results()})
    assert curves["documents"]["fit"] == ([10.0, 100.0], [1.0, 10.0])
    assert curves["dim"]["averaging"] == ([10.0, 20.0, 40.0], [1.0, 2.0, 4.0])
