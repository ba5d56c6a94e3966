"""Why a loop stays below 40 % of its ceiling, where it does."""

REASONS = {
    "OMP": (
        "every pick depends on the one before, and a vector of K = 40 numbers is only ten "
        "instructions. Making a pick orthogonal to those before takes a third of the time, at nine "
        "tenths of the ceiling; finding the largest number and updating what is left takes half of "
        "it for a fifth of the operations, the triangular solve an eighth. Coding two to four "
        "words in turns gained nothing: the processor does not wait, it has many small "
        "instructions. "
        "With K = 100 the same loop is above 40 %."
    ),
    "atom update, direction": (
        "one multiply-add a number read, and only every second row is used, which the memory's "
        "read-ahead does not foresee."
    ),
    "atom update, refit": (
        "two passes over each row, and only every second row is used, which the memory's "
        "read-ahead does not foresee."
    ),
    "averaging": (
        "the sums themselves, in registers, run at two thirds of a matrix product's speed, as half "
        "of the codes are zero and each topic has its own list of words; that is six tenths of the "
        "time. The rest is fetching vectors of words from a table larger than the caches, and "
        "writing document vectors. Larger and smaller tiles, narrower panels and lists instead of "
        "bits were slower."
    ),
    "averaging and removal": "see averaging.",
}
