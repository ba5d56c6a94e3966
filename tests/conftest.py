"""How the whole suite runs."""

import os

import pytest
from hypothesis import settings

from tests.explorer.browser import FLAGS, find_chromium, why_not_installed

# The first call of a compiled loop takes its loading, and a busy machine any time: a deadline for
# one example would only say that.
settings.register_profile("psif", deadline=None)
settings.load_profile("psif")


def unavailable(reason):
    """Skip, or fail where browser tests are required, as in continuous integration."""
    if os.environ.get("PSIF_REQUIRE_BROWSER", "0") not in ("", "0"):
        pytest.fail(f"PSIF_REQUIRE_BROWSER is set, but {reason}", pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def chromium():
    """A headless browser of this machine."""
    path = find_chromium()
    if path is None:
        unavailable(why_not_installed() or "no Chromium is installed; make test installs it")
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        unavailable("playwright is not installed")
    with sync_playwright() as driver:
        try:
            browser = driver.chromium.launch(executable_path=path, args=FLAGS)
        except Error as error:
            unavailable(f"{path} does not start: {error.message.splitlines()[0]}")
        yield browser
        browser.close()
