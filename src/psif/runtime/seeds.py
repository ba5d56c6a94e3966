"""One integer seed from any ``random_state`` that scikit-learn accepts."""

from __future__ import annotations

from typing import Any

import numpy as np


def draw_seed(random_state: Any) -> int:
    """Draw a seed: always the same from an integer, a new one from a generator or None."""
    if isinstance(random_state, int | np.integer):
        # The same as scikit-learn, without the time of its import.
        generator = np.random.RandomState(random_state)
    else:
        from sklearn.utils import check_random_state

        generator = check_random_state(random_state)
    return int(generator.randint(2**31 - 1))
