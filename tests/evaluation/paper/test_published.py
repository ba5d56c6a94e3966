import numpy as np
import pytest

from psif.baselines import METHODS
from psif.evaluation.paper import published as module
from psif.evaluation.paper.published import Published, published, table
from psif.evaluation.tasks import TASKS

# Table, rows, columns beside the first.
SHAPES = {
    "newsgroups": (25, 4),
    "newsgroups_classes": (20, 12),
    "reuters": (13, 6),
    "similarity": (6, 15),
    "similarity_detail": (26, 15),
    "similarity_recent": (6, 12),
    "sts16": (6, 12),
    "supervised": (3, 8),
    "word_mover": (10, 8),
}


@pytest.mark.parametrize("name", SHAPES)
def test_tables_are_complete(name):
    rows = table(name)
    n_rows, n_columns = SHAPES[name]
    assert len(rows) == n_rows
    for row in rows.values():
        cells = list(row.values())[1:]
        assert len(cells) == n_columns
        for cell in cells:
            assert cell == "-" or 0 < float(cell.partition("±")[0]) <= 100


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (("20news", "psif", "accuracy"), Published(85.4, "P-SIF")),
        (("20news", "psif-doc2vecc", "f1"), Published(86.0, "P-SIF (Doc2VecC)")),
        (("20news", "wmd", "accuracy"), Published(73.2, "KNN-WMD")),
        (("20news/sci.med", "psif", "recall"), Published(88.6, "P-SIF recall")),
        (("20news/sci.med", "sif", "recall"), None),
        (("reuters", "psif", "nDCG@5 (authors)"), Published(49.97, "P-SIF")),
        (("reuters", "tfidf-average", "F1 (micro)"), Published(71.97, "tfidf AvgVec")),
        (("bbcsport", "psif", "accuracy"), Published(99.05, "P-SIF", 0.9)),
        (("r8", "scdv", "accuracy"), Published(97.3, "SCDV")),
        (("sts12", "psif", "pearson"), Published(65.7, "P-SIF+PSL")),
        (("sts14/tweet-news", "sif", "pearson"), Published(77.5, "PSL+WR")),
        (("sts16/plagiarism", "psif", "pearson"), Published(81.6, "P-SIF+PSL")),
        (("sts16", "usif", "pearson"), Published(72.3, "u-SIF+PSL")),
        (("sick-r", "psif", "pearson"), Published(73.4, "P-SIF+PSL")),
        (("sick-r", "psif", "supervised pearson"), Published(87.6, "P-SIF+PSL")),
        (("sick-e", "sif", "accuracy"), Published(84.6, "PSL+WR")),
        (("sst2", "psif", "accuracy"), Published(86.4, "P-SIF+PSL")),
        (("pit2015", "average", "pearson"), Published(36.3, "avg-PSL")),
        (("20news", "tfidf", "accuracy"), None),
        (("sts16", "wme", "pearson"), None),
        (("reuters", "psif", "nDCG@5"), None),
        (("reuters-modapte", "psif", "P@1"), None),
    ],
)
def test_numbers_of_the_paper(place, expected):
    assert published(*place) == expected


def test_means_over_sub_tasks_are_as_printed():
    rows = {**table("similarity_detail"), **table("sts16")}
    for year in ("sts12", "sts13", "sts14", "sts15", "sts16"):
        parts = [
            float(row["P-SIF+PSL"]) for name, row in rows.items() if name.startswith(f"{year}/")
        ]
        assert np.mean(parts) == pytest.approx(float(rows[year]["P-SIF+PSL"]), abs=0.06)


def test_every_method_and_task_named_is_one_of_ours():
    named = {method for names in module._NAMES.values() for method in names}
    assert named <= set(METHODS)
    tasks = {name.partition("/")[0] for name in table("similarity_detail")}
    assert tasks <= set(TASKS)
