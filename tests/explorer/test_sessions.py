import time

import pytest

from psif.explorer import sessions
from psif.explorer.sessions import Sessions


def test_a_key_opens_and_a_cookie_is_known():
    made = Sessions()
    assert made.open("") is None
    assert made.open(made.key + "x") is None
    assert made.open("é\ud800") is None
    cookie = made.open(made.key)
    assert made.knows([f"psif={cookie}"])
    assert made.knows(["a=1", f"b=2; psif={cookie}; c"])
    assert not made.knows([f"psif={cookie}x", "psif=", f"other={cookie}", "psif"])
    assert not Sessions().knows([f"psif={cookie}"])


def test_one_time_keys_end_with_time(monkeypatch):
    made = Sessions()
    key = made.one_time_key()
    now = time.monotonic()
    monkeypatch.setattr(sessions.time, "monotonic", lambda: now + 121)
    assert made.open(key) is None


def test_the_oldest_of_too_many_cookies_is_forgotten():
    made = Sessions()
    cookies = [made.open(made.key) for _ in range(70)]
    assert [made.knows([f"psif={cookie}"]) for cookie in cookies] == [False] * 6 + [True] * 64


@pytest.mark.parametrize("n_cookies", [9, 10_000])
def test_only_a_few_given_cookies_are_tried(n_cookies):
    made = Sessions()
    cookie = made.open(made.key)
    assert not made.knows([";".join(["psif=x"] * (n_cookies - 1) + [f"psif={cookie}"])])
