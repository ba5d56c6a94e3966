import threading

import pytest

from psif.cli.commands.explore import write_page
from psif.explorer.server import ExplorerServer
from tests.explorer.worlds import make_answers


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    return make_answers(tmp_path_factory.mktemp("page"))


@pytest.fixture(scope="module")
def served(answers):
    with ExplorerServer(answers) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield server.url
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def exported(answers, tmp_path_factory):
    path = tmp_path_factory.mktemp("export") / "page.html"
    write_page(answers, path)
    return path.as_uri()


@pytest.fixture(scope="module")
def small(answers, tmp_path_factory):
    path = tmp_path_factory.mktemp("export") / "small.html"
    write_page(answers, path, small=True)
    return path.as_uri()


@pytest.fixture(params=["desktop", "phone"])
def size(request):
    return {"desktop": (1280, 800), "phone": (390, 800)}[request.param]


@pytest.fixture
def visit(chromium):
    """Open an address; a complaint of the page, or a request elsewhere, fails the test."""
    contexts, complaints = [], []

    def open_page(url, width=1280, height=800):
        context = chromium.new_context(viewport={"width": width, "height": height})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda message: complaints.append(message.text) if message.type == "error" else None,
        )
        address, _, view = url.partition("#")
        base = address.rsplit("/", 2 if "/open/" in address else 1)[0]
        page.on(
            "request",
            lambda asked: (
                None
                if asked.url.startswith((base, "data:"))
                else complaints.append(f"asked for {asked.url}")
            ),
        )
        page.goto(address if "/open/" in address else url)
        page.wait_for_selector("body[data-ready]")
        if view and "/open/" in address:
            # The address of a served page is known once it is open.
            page.evaluate("view => { location.hash = view; }", view)
            page.reload()
            page.wait_for_selector("body[data-ready]")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []
