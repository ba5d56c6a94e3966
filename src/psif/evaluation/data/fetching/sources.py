"""Where each set lives, and how it is read there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from psif.evaluation.data.fetching import documents, sentence_pairs
from psif.evaluation.data.fetching.documents import Rows


@dataclass(frozen=True)
class Home:
    """A set and its home.

    Attributes
    ----------
    folder : str
        The set in the data folder.
    tasks : tuple of str
        Tasks that read it.
    url : str or None
        The file that its home serves; None where nobody serves it, or only to those who log in.
    convert : callable or None
        From files to rows by split; None where the home's form is not known to us.
    sha256 : str or None
        Of the file, where a public source gives it.
    advice : str
        What to do where there is no ``url``.
    """

    folder: str
    tasks: tuple[str, ...]
    url: str | None
    convert: Callable[[Iterable[Path]], Rows] | None
    sha256: str | None = None
    advice: str = ""


_STS = "http://ixa2.si.ehu.eus/stswiki/images"


def _year(year: int, place: str) -> Home:
    return Home(
        f"sts/STS{year}", (f"sts{year}",), f"{_STS}/{place}/STS20{year}-en-test.zip",
        sentence_pairs.similarity_year,
    )  # fmt: skip


HOMES: Mapping[str, Home] = MappingProxyType(
    {
        home.folder: home
        for home in (
            Home(
                "20news_bydate", ("20news",),
                "http://qwone.com/~jason/20Newsgroups/20news-bydate.tar.gz", documents.newsgroups,
                # Given by scikit-learn, whose copy is of the same archive.
                "8f1b2514ca22a5ade8fbb9cfa5727df95fa587f4c87b786e15c759fa66d95610",
            ),
            Home(
                "reuters21578_modapte", ("reuters", "reuters-modapte"),
                "https://kdd.ics.uci.edu/databases/reuters21578/reuters21578.tar.gz",
                documents.reuters,
            ),
            Home(
                "bbcsport", ("bbcsport",),
                "http://mlg.ucd.ie/files/datasets/bbcsport-fulltext.zip", documents.bbcsport,
            ),
            Home(
                "twitter_sentiment", ("twitter",), None, None,
                advice="the Sanders tweets are no longer given out; copies in the form that the "
                "word mover papers use lie in their authors' repositories",
            ),
            Home(
                "ohsumed10", ("ohsumed",),
                "http://disi.unitn.it/moschitti/corpora/ohsumed-first-20000-docs.tar.gz",
                documents.ohsumed,
            ),
            Home(
                "classic4", ("classic",), None, None,
                advice="the four SMART collections have no home any more that serves them one "
                "abstract a file",
            ),
            Home(
                "reuters_r8", ("r8",), None, documents.lines_by_class,
                advice="take r8-train-all-terms.txt and r8-test-all-terms.txt from "
                "https://ana.cachopo.org/datasets-for-single-label-text-categorization",
            ),
            Home(
                "amazon", ("amazon",),
                "https://www.cs.jhu.edu/~mdredze/datasets/sentiment/domain_sentiment_data.tar.gz",
                documents.amazon,
            ),
            Home(
                "recipe_l", ("recipe",), None, documents.recipe,
                advice="log in at https://www.kaggle.com/competitions/whats-cooking/data and take "
                "train.json.zip",
            ),
            _year(12, "4/40"), _year(13, "2/2f"), _year(14, "8/8c"), _year(15, "d/da"),
            _year(16, "9/98"),
            Home(
                "stsb", ("stsb",), f"{_STS}/4/48/Stsbenchmark.tar.gz",
                sentence_pairs.similarity_benchmark,
            ),
            Home(
                "sick", ("sick-r", "sick-e"),
                "https://zenodo.org/records/2787612/files/SICK.zip?download=1", sentence_pairs.sick,
            ),
            Home(
                "pit2015", ("pit2015",),
                "https://github.com/cocoxu/SemEval-PIT2015/archive/refs/heads/master.zip",
                sentence_pairs.tweets,
            ),
            Home(
                "sst2", ("sst2",), "https://nlp.stanford.edu/sentiment/trainDevTestTrees_PTB.zip",
                documents.sentiment,
            ),
        )
    }
)  # fmt: skip
