"""What is measured, in which order, and what needs what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.jobs.dictionary import LEARNERS
from benchmarks.jobs.dictionary import skip_reason as learner_skip_reason
from benchmarks.peers import NAMES, peer_class
from benchmarks.sizes import Size
from psif.errors import InputError
from psif.evaluation.data.folders import MissingDataError, data_file

AXES = ("tokens", "vocabulary", "topics", "dim")
# Minutes each; made only when asked for, and kept. On a part of the documents some are quick.
_COSTLY = {
    "full": ("vectors/gensim-sgns", "fit/reference", "score/minilm"),
    "quick": ("fit/reference", "score/minilm", "score/wordllama"),
    "tiny": (),
}


# Other settings of ours; a quick run leaves them out, as it does the pairs of sentences.
_VARIANTS = ("psif-classification", "psif-compact", "psif-words")


@dataclass(frozen=True)
class Job:
    """One measurement.

    Attributes
    ----------
    name : str
        Words between slashes; ``--only`` chooses by any of them.
    kind : str
        See :mod:`benchmarks.jobs`.
    arguments : dict
    threads : int
    packages : tuple of str
        Whose versions the result depends on.
    needs : tuple of str
        Names of jobs that must be done before.
    product : str or None
        What it leaves in the workspace.
    costly : bool
    skip : str or None
        Why it cannot be done here.
    fresh : bool
        Whether compiled code is made anew, as in the first run after an installation.
    settings : dict
        More that the result depends on.
    """

    name: str
    kind: str
    arguments: dict[str, Any]
    threads: int
    packages: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    product: str | None = None
    costly: bool = False
    skip: str | None = None
    fresh: bool = False
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def words(self) -> tuple[str, ...]:
        """What ``--only`` may call it by."""
        return (*self.name.split("/"), self.name)


@dataclass
class _Plan:
    size: Size
    cores: int
    jobs: list[Job] = field(default_factory=list)

    @property
    def threads(self) -> tuple[int, ...]:
        """One and all; a quick run makes do with all."""
        return (1, self.cores) if self.size.name == "full" and self.cores > 1 else (self.cores,)

    def add(self, name: str, kind: str, threads: int | None = None, **more: Any) -> None:
        arguments = more.pop("arguments", {})
        costly = name.startswith(_COSTLY[self.size.name])
        self.jobs.append(Job(name, kind, arguments, threads or self.cores, costly=costly, **more))


def make_plan(size: Size, cores: int) -> list[Job]:
    """All measurements of a size, cheap ones of each kind before dear ones."""
    plan = _Plan(size, cores)
    for n in plan.threads:
        plan.add(f"roofline/{n}", "roofline", n, packages=("numba",))
    for package in LEARNERS:
        plan.add(
            f"dictionary/{package}", "dictionary", arguments={"package": package},
            packages=(package,), skip=learner_skip_reason(package),
        )  # fmt: skip
    _add_shared(plan)
    for name in NAMES:
        if size.name == "full" or name not in _VARIANTS:
            _add_peer(plan, name)
    for axis in AXES:
        plan.add(f"growth/{axis}", "axis", arguments={"name": axis})
    for n_docs in size.documents:
        plan.add(f"growth/documents/{n_docs}", "growth", arguments={"n_docs": n_docs})
    return plan.jobs


def _add_shared(plan: _Plan) -> None:
    from benchmarks.peers.model2vec import FOLDER, Model2Vec
    from benchmarks.peers.sgns_average import FOLDER as SGNS
    from benchmarks.peers.sgns_average import SgnsAverage

    plan.add(
        f"vectors/{SGNS}", "vectors", packages=SgnsAverage.packages,
        skip=SgnsAverage.skip_reason(), product=SGNS,
    )  # fmt: skip
    plan.add(
        f"table/{FOLDER}", "table", packages=Model2Vec.packages,
        skip=Model2Vec.skip_reason(), product=FOLDER,
    )  # fmt: skip


def _add_peer(plan: _Plan, name: str) -> None:
    kind = peer_class(name)
    shared: dict[str, Any] = {
        "arguments": {"peer": name},
        "packages": kind.packages,
        "skip": kind.skip_reason(),
        "settings": kind.all_settings(),
    }
    before = {"gensim-sgns": "vectors", "model2vec-table": "table"}
    source = kind.vectors_from
    needs = () if source is None else (f"{before[source]}/{source}",)
    model = f"models/{name}"
    fit = f"fit/{name}/{plan.cores}"
    # With one thread: where nothing is learned, or only from shared vectors, it says nothing.
    threads = plan.threads if kind.learns and source is None and kind.fits_alone else (plan.cores,)
    for n in threads:
        plan.add(f"fit/{name}/{n}", "fit", n, needs=needs, product=model, **shared)
    for n in plan.threads:
        plan.add(f"embed/{name}/{n}", "embed", n, needs=(fit,), **shared)
    plan.add(f"start/{name}", "start", needs=(fit,), **shared)
    if name == "psif":
        plan.add(f"start/{name}/first", "start", needs=(fit,), fresh=True, **shared)
    plan.add(f"score/{name}", "score", needs=(fit,), **shared)
    if source != "gensim-sgns" and plan.size.name == "full":
        shared["skip"] = shared["skip"] or _no_sts()
        plan.add(f"sts/{name}", "sts", needs=needs, **shared)


def _no_sts() -> str | None:
    try:
        data_file("stsb/test.jsonl.gz")
        data_file("sick/train.jsonl.gz")
    except MissingDataError:
        return "needs the STS Benchmark in the folder that PSIF_DATA names"
    return None


def choose(jobs: Sequence[Job], only: Sequence[str], *, costly: bool) -> list[Job]:
    """Jobs that some word of ``only`` names (all, if there is none), and what they need.

    Costly ones are taken when asked for: by ``costly``, or by their whole name in ``only``.
    """
    known = {word for job in jobs for word in job.words}
    for word in only:
        if word not in known:
            raise InputError(
                f"no measurement is called {word!r}; `psif bench --list` shows all. "
                f"Words that name many: {', '.join(sorted({job.words[0] for job in jobs}))}."
            )
    wanted = {
        job.name
        for job in jobs
        if (not only or set(only) & set(job.words))
        and (not job.costly or costly or job.name in only)
    }
    by_name = {job.name: job for job in jobs}
    todo = list(wanted)
    while todo:
        for need in by_name[todo.pop()].needs:
            # What is costly is not made just because something needs it.
            if need not in wanted and (costly or not by_name[need].costly):
                wanted.add(need)
                todo.append(need)
    return [job for job in jobs if job.name in wanted]
