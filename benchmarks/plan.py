"""All measurements, in their order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from benchmarks.job import Job
from benchmarks.jobs.cluster import FOLDER as CLUSTER_FOLDER
from benchmarks.jobs.dictionary import LEARNERS
from benchmarks.jobs.tokenizing import PACKAGES as TOKENIZERS
from benchmarks.jobs.trainers import GROWING, TRAINERS
from benchmarks.jobs.trainers import QUICK as QUICK_TRAINERS
from benchmarks.jobs.trainers import REUTERS as REUTERS_TRAINERS
from benchmarks.peers import NAMES, peer_class
from benchmarks.requirements import missing_data, missing_package
from benchmarks.sizes import Size

AXES = ("tokens", "vocabulary", "topics", "dim")
# Many minutes each: they run on request only. On a part of the documents some are quick.
_COSTLY = {
    "full": (
        "vectors/gensim-sgns",
        "fit/numpy-reference",
        "score/minilm",
        "trainers/gensim",
    ),
    "quick": ("fit/numpy-reference", "score/minilm", "score/wordllama"),
    "tiny": (),
}


_STS_FILES = ("stsb/test.jsonl.gz", "sick/train.jsonl.gz")
_REUTERS_FILES = tuple(
    f"reuters21578_modapte/{name}"
    for name in ("train.jsonl.gz", "test.jsonl.gz", "r90_labels.json")
)
# Presets of ours; a quick run leaves them out, and pairs of sentences too.
_VARIANTS = ("psif-classification", "psif-compact", "psif-words")


@dataclass
class _Plan:
    size: Size
    cores: int
    jobs: list[Job] = field(default_factory=list)

    @property
    def threads(self) -> tuple[int, ...]:
        """One thread and all; a quick run measures all only."""
        return (1, self.cores) if self.size.name == "full" and self.cores > 1 else (self.cores,)

    def add(self, name: str, kind: str, threads: int | None = None, **more: Any) -> None:
        arguments = more.pop("arguments", {})
        costly = name.startswith(_COSTLY[self.size.name])
        self.jobs.append(Job(name, kind, arguments, threads or self.cores, costly=costly, **more))


def make_plan(size: Size, cores: int) -> list[Job]:
    """List all jobs of a size; what a job needs comes before it."""
    plan = _Plan(size, cores)
    for n in plan.threads:
        plan.add(f"roofline/{n}", "roofline", n, packages=("numba",))
    for package in LEARNERS:
        plan.add(
            f"dictionary/{package}", "dictionary", arguments={"package": package},
            packages=(package,), skip=missing_package(package),
        )  # fmt: skip
    _add_shared(plan)
    for name in NAMES:
        if size.name == "full" or name not in _VARIANTS:
            _add_peer(plan, name)
    for axis in AXES:
        plan.add(f"growth/{axis}", "axis", arguments={"name": axis})
    for n_docs in size.documents:
        plan.add(f"growth/documents/{n_docs}", "growth", arguments={"n_docs": n_docs})
    for share in size.shares:
        plan.add(f"growth/corpus/{share}", "corpus growth", arguments={"share": share}, **_ours())
    plan.add("large/dictionary", "large dictionary")
    for add in (_add_command_line, _add_tokenizing, _add_trainers, _add_classify, _add_cluster):
        add(plan)
    return plan.jobs


def _ours() -> dict[str, Any]:
    """Return what a measurement with the default settings depends on."""
    return {"settings": peer_class("psif").all_settings()}


def _add_command_line(plan: _Plan) -> None:
    plan.add("command/embed", "command", **_ours())
    for n_docs in plan.size.command_documents:
        plan.add(
            f"command/documents/{n_docs}", "command documents", arguments={"n_docs": n_docs},
            **_ours(),
        )  # fmt: skip
    plan.add("command/start", "command start")


def _add_tokenizing(plan: _Plan) -> None:
    for method, packages in TOKENIZERS.items():
        plan.add(
            f"tokenizing/{method}", "tokenizing", arguments={"method": method}, packages=packages,
            skip=missing_package(*packages),
        )  # fmt: skip


def _add_trainers(plan: _Plan) -> None:
    full = plan.size.name == "full"
    for name in TRAINERS if full else QUICK_TRAINERS:
        packages = ("gensim",) if name.startswith("gensim") else ()
        plan.add(
            f"trainers/{name}", "trainer", arguments={"trainer": name}, packages=packages,
            skip=missing_package(*packages),
        )  # fmt: skip
    plan.add("trainers/whole", "trainer whole")
    for method in GROWING:
        for share in plan.size.shares:
            plan.add(
                f"trainers/growth/{method}/{share}", "trainer growth",
                arguments={"method": method, "share": share},
            )  # fmt: skip
    if not full:
        return
    skip = missing_data("Reuters-21578", *_REUTERS_FILES)
    for name in REUTERS_TRAINERS:
        plan.add(
            f"trainers/reuters/{name}", "trainer reuters", arguments={"trainer": name}, skip=skip
        )
    skip = missing_data("the evaluation sets", "20news_bydate/train.jsonl.gz")
    plan.add("large/vocabulary", "large vocabulary", skip=skip)


def _add_classify(plan: _Plan) -> None:
    from benchmarks.classifiers import NAMES as CLASSIFIERS
    from benchmarks.classifiers import label_peer

    for name in CLASSIFIERS:
        kind = label_peer(name)
        shared: dict[str, Any] = {
            "arguments": {"peer": name},
            "packages": kind.packages,
            "skip": kind.skip_reason(),
            "needs": () if kind.vectors_from is None else (f"table/{kind.vectors_from}",),
        }
        plan.add(f"classify/{name}", "classify", **shared)
        if plan.size.name == "full":
            plan.add(f"classify/few/{name}", "classify few", **shared)
    for n_docs in plan.size.documents:
        plan.add(f"classify/growth/{n_docs}", "classify growth", arguments={"n_docs": n_docs})


def _add_cluster(plan: _Plan) -> None:
    packages = ("dask", "distributed")
    shared: dict[str, Any] = {"packages": packages, "skip": missing_package(*packages, "psutil")}
    plan.add("cluster/fit", "cluster fit", product=CLUSTER_FOLDER, **shared)
    plan.add("cluster/transform", "cluster transform", needs=("cluster/fit",), **shared)
    plan.add("cluster/memory", "cluster memory", needs=("cluster/fit",), **shared)
    plan.add("cluster/tasks", "cluster tasks", **shared)


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
    # Fitting with one thread tells nothing where nothing is learned, or from shared vectors only.
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
        shared["skip"] = shared["skip"] or missing_data("the STS Benchmark", *_STS_FILES)
        plan.add(f"sts/{name}", "sts", needs=needs, **shared)
