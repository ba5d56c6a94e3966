"""A task of MTEB whose data are in memory."""

from mteb.abstasks.sts import AbsTaskSTS
from mteb.abstasks.task_metadata import TaskMetadata


def pairs_task(firsts, seconds, scores):
    """Return a task of sentence pairs with scores from 0 to 5."""
    from datasets import Dataset, DatasetDict

    class Pairs(AbsTaskSTS):
        metadata = TaskMetadata(
            name="PsifPairs",
            dataset={"path": "psif/pairs", "revision": "1"},
            description="Pairs of a test.",
            reference=None,
            type="STS",
            category="t2t",
            modalities=["text"],
            eval_splits=["test"],
            eval_langs=["eng-Latn"],
            main_score="cosine_spearman",
            date=None,
            domains=None,
            task_subtypes=None,
            license=None,
            annotations_creators=None,
            dialect=None,
            sample_creation=None,
            bibtex_citation=None,
        )

        def load_data(self, **options):
            rows = {"sentence1": firsts, "sentence2": seconds, "score": scores}
            self.dataset = DatasetDict({"test": Dataset.from_dict(rows)})
            self.data_loaded = True

    return Pairs()
