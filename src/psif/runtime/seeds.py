"""One whole number from whatever scikit-learn takes as a ``random_state``."""

from __future__ import annotations

from typing import Any

import numpy as np


def draw_seed(random_state: Any) -> int:
    """Draw a seed: from a number the same each time, from a generator or None another one."""
    if isinstance(random_state, int | np.integer):
        # As scikit-learn would, without the wait for its import.
        generator = np.random.RandomState(random_state)
    else:
        from sklearn.utils import check_random_state

        generator = check_random_state(random_state)
    return int(generator.randint(2**31 - 1))
