r"""How the share of each group changes from period to period.

A group rises or falls if its share of the documents of a period has a linear trend. With the
periods numbered t, n_t documents in each and x_t of them in the group, this is the Cochran-Armitage
test for trend [1]_, with the share p of the group in all periods:

.. math:: z = \frac{\sum_t x_t (t - \bar t)}{\sqrt{p (1 - p) \sum_t n_t (t - \bar t)^2}}, \qquad
          \bar t = \sum_t n_t t / \sum_t n_t

z is normal if the share does not change. As many groups are tested, the p-values are corrected by
Holm's method [2]_; a trend counts if the corrected p is below 0.05.

References
----------
.. [1] Armitage (1955), Tests for linear trends in proportions and frequencies.
.. [2] Holm (1979), A simple sequentially rejective multiple test procedure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from psif.errors import InputError
from psif.files.dates import parse_dates
from psif.types import DoubleMatrix, DoubleVector

PERIODS = ("day", "week", "month", "quarter", "year")
SIGNIFICANT = 0.05
# Periods between the first and the last date that a plot can show well.
_MOST_PERIODS = 60
_DAYS = {"day": 1, "week": 7, "month": 30.4, "quarter": 91.3, "year": 365.25}


@dataclass(frozen=True)
class Trends:
    """Counts of groups per period.

    Attributes
    ----------
    period : str
        "day", "week", "month", "quarter" or "year".
    starts : list of str
        First day of each period, without gaps.
    totals : ndarray of int64, shape (n_periods,)
        Documents with a date in each period.
    names : list of str
    counts : ndarray of float64, shape (n_periods, n_groups)
        Documents of each group; for topics the sum of their shares.
    slopes : ndarray of float64, shape (n_groups,)
        z of the test; above 0 the group rises.
    p_values : ndarray of float64, shape (n_groups,)
        Corrected for the number of groups.
    missing : int
        Documents without a date.
    """

    period: str
    starts: list[str]
    totals: NDArray[np.int64]
    names: list[str]
    counts: DoubleMatrix
    slopes: DoubleVector
    p_values: DoubleVector
    missing: int

    @property
    def shares(self) -> DoubleMatrix:
        """Share of each group in the documents of each period; 0 in empty periods."""
        return np.asarray(self.counts / np.maximum(1, self.totals)[:, None])

    def change(self, group: int) -> str:
        """Whether a group "rises", "falls" or is "steady"."""
        if self.p_values[group] >= SIGNIFICANT:
            return "steady"
        return "rises" if self.slopes[group] > 0 else "falls"

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, ready for JSON: the strongest changes first."""
        order = np.argsort(self.p_values, kind="stable").tolist()
        return {
            "period": self.period,
            "starts": self.starts,
            "documents": self.totals.tolist(),
            "missing": self.missing,
            "groups": [
                {
                    "name": self.names[g],
                    "change": self.change(g),
                    "z": float(self.slopes[g]),
                    "p": float(self.p_values[g]),
                    "shares": self.shares[:, g].tolist(),
                }
                for g in order
            ],
        }

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per period and group."""
        return [
            {
                "period": start,
                "group": name,
                "documents": float(self.counts[t, g]),
                "share": float(self.shares[t, g]),
                "all_documents": int(self.totals[t]),
                "change": self.change(g),
                "p": float(self.p_values[g]),
            }
            for t, start in enumerate(self.starts)
            for g, name in enumerate(self.names)
        ]


def group_trends(
    dates: Sequence[Any],
    labels: NDArray[np.int64],
    names: list[str],
    period: str | None = None,
) -> Trends:
    """Count groups per period.

    Parameters
    ----------
    dates : sequence
        One per document: dates, or strings in one of many formats; None where missing.
    labels : ndarray of int64
        The group of each document, -1 for none.
    names : list of str
        Of the groups.
    period : {"day", "week", "month", "quarter", "year"}, optional
        By default the shortest one with at most 60 periods.
    """
    members = np.zeros((len(labels), len(names)))
    rows = np.flatnonzero(labels >= 0)
    members[rows, labels[rows]] = 1
    return share_trends(dates, members, names, period)


def share_trends(
    dates: Sequence[Any], shares: DoubleMatrix, names: list[str], period: str | None = None
) -> Trends:
    """Add up shares of topics, or memberships in groups, per period; see :func:`group_trends`."""
    if len(dates) != len(shares):
        raise InputError(f"{len(dates)} dates were given for {len(shares)} documents.")
    values = [value if value is not None and str(value).strip() else None for value in dates]
    # The user says that these are dates: those that cannot be read count as missing.
    seconds = parse_dates(values, least=0)
    if seconds is None or np.isnan(seconds).all():
        shown = next((value for value in values if value is not None), None)
        raise InputError(f"the dates cannot be read as dates; one of them is {shown!r}.")
    present = np.flatnonzero(~np.isnan(seconds))
    if period is None:
        days = (seconds[present].max() - seconds[present].min()) / 86_400
        period = next((p for p in PERIODS if days / _DAYS[p] < _MOST_PERIODS), "year")
    elif period not in PERIODS:
        raise InputError(f"period must be one of {', '.join(PERIODS)}; got {period!r}.")
    numbers = np.array([_number(seconds[i], period) for i in present.tolist()])
    first = int(numbers.min())
    n_periods = int(numbers.max()) - first + 1
    totals = np.bincount(numbers - first, minlength=n_periods)
    counts = np.zeros((n_periods, len(names)))
    np.add.at(counts, numbers - first, np.asarray(shares)[present])
    slopes, p_values = _trend_test(counts, totals)
    return Trends(
        period,
        [_start(first + t, period) for t in range(n_periods)],
        totals.astype(np.int64),
        names,
        counts,
        slopes,
        p_values,
        len(values) - len(present),
    )


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MONTHS = {"month": 1, "quarter": 3, "year": 12}


def _number(seconds: float, period: str) -> int:
    """Return the position of a period, counted from that of 1 January 1970."""
    days = int(seconds // 86_400)
    if period == "day":
        return days
    if period == "week":
        return (days + 3) // 7  # weeks begin on Monday
    when = _EPOCH + timedelta(days=days)
    return ((when.year - 1970) * 12 + when.month - 1) // _MONTHS[period]


def _start(number: int, period: str) -> str:
    """Return the first day of a period."""
    if period in ("day", "week"):
        days = number if period == "day" else 7 * number - 3
        return (_EPOCH + timedelta(days=days)).date().isoformat()
    years, month = divmod(number * _MONTHS[period], 12)
    return f"{1970 + years:04}-{month + 1:02}-01"


def _trend_test(
    counts: DoubleMatrix, totals: NDArray[np.int64]
) -> tuple[DoubleVector, DoubleVector]:
    from scipy.stats import norm

    times = np.arange(len(totals), dtype=np.float64)
    times -= (totals @ times) / max(1, totals.sum())
    share = counts.sum(axis=0) / max(1, totals.sum())
    variance = share * (1 - share) * float(totals @ times**2)
    slopes = (times @ counts) / np.sqrt(np.where(variance > 0, variance, 1))
    slopes = np.where(variance > 1e-12, slopes, 0.0)
    raw = 2 * norm.sf(np.abs(slopes))
    # Holm: the i-th smallest of m p-values counts m - i times, and none less than one before it.
    order = np.argsort(raw, kind="stable")
    steps = raw[order] * np.arange(len(raw), 0, -1)
    corrected = np.empty_like(raw)
    corrected[order] = np.minimum(1, np.maximum.accumulate(steps))
    return slopes, corrected
