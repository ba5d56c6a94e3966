"""The core beside its peers: dictionary learning, averaging, memory.

Every ratio is taken within this run, on the documents of 20 Newsgroups and vectors trained on them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.corpora import newsgroups
from benchmarks.report import measured, rows_as_table, table, timed, write_results

N_WORDS, DIM, N_TOPICS, N_ACTIVE = 15_000, 200, 40, 20


def word_vectors() -> np.ndarray:
    """15,000 unit-normed word vectors of 200 dimensions."""
    from psif import WordVectors
    from psif.norms import unit_rows

    trained = WordVectors.train(newsgroups(), dim=DIM, tokenizer="paper", random_state=0)
    return unit_rows(trained.matrix[:N_WORDS])


def dictionary_beside_ksvd(vectors: np.ndarray) -> dict[str, Any]:
    """Ten K-SVD iterations from the same start; error of coding all words afterwards."""
    from ksvd import ApproximateKSVD

    from psif.partitions.dictionary import Dictionary

    def ours() -> np.ndarray:
        learned = Dictionary(N_TOPICS, n_active=N_ACTIVE, max_iter=10, tol=0, random_state=0)
        return learned.fit(vectors).atoms_

    def theirs() -> np.ndarray:
        peer = ApproximateKSVD(N_TOPICS, max_iter=10, transform_n_nonzero_coefs=N_ACTIVE)
        return peer.fit(vectors).components_

    def error(atoms: np.ndarray) -> float:
        from psif.parallel import Workers
        from psif.partitions.coding import sparse_codes

        with Workers() as workers:
            codes = sparse_codes(vectors, atoms.astype(np.float32), N_ACTIVE, workers=workers)
        return float(np.linalg.norm(vectors - codes @ atoms) / np.linalg.norm(vectors))

    ours()  # compiled
    our_time, our_atoms = timed(ours, repeats=3)
    their_time, their_atoms = timed(theirs)
    return {
        "psif_seconds": our_time,
        "ksvd_seconds": their_time,
        "ratio": their_time / our_time,
        "psif_error": error(our_atoms),
        "ksvd_error": error(their_atoms),
    }


def large_dictionary() -> list[float]:
    """Fit on 400,000 x 300 vectors with a cluster structure."""
    from psif.partitions.dictionary import Dictionary

    rng = np.random.default_rng(0)
    centres = rng.standard_normal((200, 300)).astype(np.float32)
    vectors = rng.standard_normal((400_000, 300), dtype=np.float32)
    vectors += 2 * centres[rng.integers(0, 200, len(vectors))]
    return Dictionary(N_TOPICS, max_iter=10, tol=0, random_state=0).fit(vectors).losses_


def averaging() -> dict[str, Any]:
    """All documents from token ids, against a numpy loop and one GEMM of the same flops."""
    from psif.averaging import WordTopics, sorted_documents
    from psif.text.tokenizer import Tokenizer
    from psif.text.vocabulary import count_words

    rng = np.random.default_rng(0)
    vocabulary, docs = count_words(newsgroups(), Tokenizer("paper"))
    _, new_ids = vocabulary.keep(np.arange(len(vocabulary)) < N_WORDS)
    docs = docs.remap(new_ids)
    codes = np.zeros((N_WORDS, N_TOPICS), dtype=np.float32)
    for row in codes:
        row[rng.choice(N_TOPICS, N_ACTIVE, replace=False)] = rng.standard_normal(N_ACTIVE)
    words = WordTopics(
        rng.uniform(0.1, 1, N_WORDS).astype(np.float32),
        codes,
        rng.standard_normal((N_WORDS, DIM)).astype(np.float32),
    )
    none = np.zeros((0, words.n_features), dtype=np.float32)
    words.average(sorted_documents(docs.part(0, 300)), none)  # compiled
    seconds, out = timed(lambda: words.average(sorted_documents(docs), none), repeats=5)

    some = 1_000
    word_topic = (codes[:, :, None] * words.vectors[:, None, :]).reshape(N_WORDS, -1)

    def loop() -> np.ndarray:
        """Algorithm 1, line by line."""
        result = np.zeros((some, words.n_features), dtype=np.float32)
        for row, ids in zip(result, docs.part(0, some), strict=True):
            for word in ids:
                row += words.weights[word] * word_topic[word]
            row /= max(len(ids), 1)
        return result

    def folded_loop() -> np.ndarray:
        """Weights multiplied into the table beforehand: one addition a word is left."""
        result = np.zeros((some, words.n_features), dtype=np.float32)
        for row, ids in zip(result, docs.part(0, some), strict=True):
            for word in ids:
                row += word_topic[word]
            row /= max(len(ids), 1)
        return result

    loop_seconds, slow = timed(loop)
    np.testing.assert_allclose(out[:some], slow, atol=1e-3)
    word_topic *= words.weights[:, None]
    folded_seconds, slow = timed(folded_loop)
    np.testing.assert_allclose(out[:some], slow, atol=1e-3)
    share = len(docs.part(0, some).ids) / len(docs.ids)
    distinct = sum(len(np.unique(ids)) for ids in docs)
    flops = 2.0 * distinct * DIM * N_TOPICS
    gemm = gemm_speed()
    return {
        "documents": len(docs),
        "seconds": seconds,
        "loop_seconds": loop_seconds / share,
        "loop_ratio": loop_seconds / share / seconds,
        "folded_seconds": folded_seconds / share,
        "folded_ratio": folded_seconds / share / seconds,
        "gemm_gflops": gemm / 1e9,
        "dense_flops_over_gemm": seconds / (flops / gemm),
        "nonzero_flops_over_gemm": seconds / (flops * N_ACTIVE / N_TOPICS / gemm),
    }


def gemm_speed() -> float:
    """Flops a second of one large float32 matrix product."""
    a = np.random.default_rng(0).standard_normal((4000, 4000), dtype=np.float32)
    return 2.0 * 4000**3 / timed(lambda: a @ a, repeats=4)[0]


def fit_and_embed(fraction: int) -> dict[str, float]:
    """Fit on a part of the corpus and embed it in pieces, keeping none of them."""
    from psif import PSIF

    corpus = newsgroups()[::fraction]
    model = PSIF(tokenizer="paper", random_state=0).fit(corpus)
    for start in range(0, len(corpus), 256):
        model.transform(corpus[start : start + 256])
    return {"documents": len(corpus), "words": model.n_tokens_}


def main() -> None:
    """Run and write results/core.{md,json}."""
    dictionary = dictionary_beside_ksvd(word_vectors())
    large = measured(large_dictionary)
    average = averaging()
    sections = [
        "## Dictionary learning: 15,000 × 200 vectors, K = 40, k = 20, ten iterations\n",
        table(
            ["", "seconds", "relative error"],
            [
                ["psif", f"{dictionary['psif_seconds']:.2f}", f"{dictionary['psif_error']:.4f}"],
                [
                    "ksvd 0.0.3",
                    f"{dictionary['ksvd_seconds']:.1f}",
                    f"{dictionary['ksvd_error']:.4f}",
                ],
                ["ratio", f"**{dictionary['ratio']:.0f}×**", ""],
            ],
        ),
        f"\n400,000 × 300 vectors, K = 40, ten iterations: {large.seconds:.0f} s, peak memory "
        f"{large.peak_mb / 1024:.1f} GB (the vectors themselves are 0.45 GB).\n",
        f"## Averaging: {average['documents']:,} documents to 8,000 numbers, from token ids\n",
        table(
            ["", "seconds", "ratio"],
            [
                ["psif", f"{average['seconds']:.2f}", "1"],
                [
                    "numpy, adding weighted rows of a word-topic table (Algorithm 1)",
                    f"{average['loop_seconds']:.1f}",
                    f"**{average['loop_ratio']:.0f}×**",
                ],
                [
                    "the same, the weights multiplied into the table beforehand",
                    f"{average['folded_seconds']:.1f}",
                    f"{average['folded_ratio']:.0f}×",
                ],
                [
                    f"one float32 GEMM of as many flops ({average['gemm_gflops']:.0f} GFLOP/s)",
                    f"{average['seconds'] / average['dense_flops_over_gemm']:.2f}",
                    f"psif takes {average['dense_flops_over_gemm']:.1f}×",
                ],
                [
                    "the same, counting nonzero codes only",
                    f"{average['seconds'] / average['nonzero_flops_over_gemm']:.2f}",
                    f"psif takes {average['nonzero_flops_over_gemm']:.1f}×",
                ],
            ],
        ),
        "\nThe loops were timed on 1,000 documents and scaled by their share of the words; the "
        "table of 15,000 × 8,000 numbers that they need (480 MB) was made before and not timed.",
    ]
    data: dict[str, Any] = {"dictionary": dictionary, "averaging": average}
    data["large_dictionary"] = {"seconds": large.seconds, "peak_mb": large.peak_mb}
    runs = [measured(fit_and_embed, fraction) for fraction in (8, 4, 2, 1)]
    data["memory"] = [{**run.value, "seconds": run.seconds, "peak_mb": run.peak_mb} for run in runs]
    memory = [
        {
            "documents": f"{run.value['documents']:,}",
            "words": f"{run.value['words']:,}",
            "seconds": f"{run.seconds:.1f}",
            "peak MB": f"{run.peak_mb:.0f}",
        }
        for run in runs
    ]
    sections += [
        "\n## Peak memory of fit and transform, 20 Newsgroups, vectors not kept\n",
        rows_as_table(memory),
        "\nThe raw texts, held by the benchmark, are part of each figure.",
    ]
    write_results("core", "The core beside its peers", "\n".join(sections), data, ["ksvd"])


if __name__ == "__main__":
    main()
