"""Why a loop stays below 40 % of its ceiling, where it does."""

_SHORT = (
    "a matrix product keeps its sums in registers over hundreds of steps; here they go through the "
    "cache every eight"
)
REASONS = {
    "OMP": (
        "every pick depends on the one before, and between two picks lie vectors of only K = 40 "
        "numbers: ten vector instructions a row, each loading and storing its sum. Three quarters "
        "of the time is making a pick orthogonal to those before; taking four or eight rows at a "
        "time, padding rows and searching the largest in vectors were tried and gained nothing."
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
        f"{_SHORT} words, and a third of the time goes into listing the words of each topic, "
        "because half of the codes are zero. Smaller tiles, four words at a time, and adding word "
        "by word were tried and gained less than a tenth."
    ),
    "component removal": (
        "the row has just been written and lies in the cache, so that what limits it is the sum "
        "of products in double precision, not memory."
    ),
    "averaging and removal": "see averaging.",
}
