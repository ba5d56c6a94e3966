"""Why a loop stays below 40 % of its ceiling."""

ROOFLINE_NOTES = {
    "OMP": (
        "every pick depends on the pick before, and a vector of K = 40 numbers takes only ten "
        "instructions. Orthogonalising a pick against those before takes a third of the time, at "
        "90 % of the ceiling. Finding the largest number and updating the residual takes half of "
        "the time for a fifth of the operations, and the triangular solve an eighth. Interleaving "
        "two to four words gained nothing: the loop is limited by its number of small "
        "instructions, not by waiting. With K = 100 the same loop is above 40 %."
    ),
    "atom update, direction": (
        "one multiply-add per number read. Only every second row is used, which the hardware "
        "prefetcher does not predict."
    ),
    "atom update, refit": (
        "two passes over each row. Only every second row is used, which the hardware prefetcher "
        "does not predict."
    ),
    "averaging": (
        "the sums, in registers, run at two thirds of the speed of a matrix product, because half "
        "of the codes are zero and each topic has its own list of words. They take 60 % of the "
        "time. The rest is reading word vectors from a table larger than the caches and writing "
        "document vectors. Larger and smaller tiles, narrower panels, and lists instead of bits "
        "were slower."
    ),
    "averaging and removal": "see averaging.",
}
