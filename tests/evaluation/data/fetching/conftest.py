import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from psif.evaluation.data.fetching import download


class Handler(BaseHTTPRequestHandler):
    """Serves the bytes in ``server.files``, or redirects; may break off early."""

    def do_GET(self):
        server = self.server
        server.asked.append((self.path, self.headers.get("Range")))
        content = server.files.get(self.path)
        if content is None:
            self.send_error(404)
            return
        if isinstance(content, str):
            self.send_response(302)
            self.send_header("Location", content)
            self.end_headers()
            return
        self.send_response(200)
        if server.announces:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[: server.breaks_at])

    def log_message(self, *_):
        pass


@pytest.fixture
def server(monkeypatch):
    """A server on this machine; it has no certificate, so that http is let pass."""
    monkeypatch.setattr(download, "SCHEMES", {"https", "http"})
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.files, server.asked, server.announces, server.breaks_at = {}, [], True, None
        server.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()
