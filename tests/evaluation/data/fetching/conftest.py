import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest


class Home(BaseHTTPRequestHandler):
    """Serves the bytes in ``server.files``; may know no ranges, or break off early."""

    def do_GET(self):
        server = self.server
        server.asked.append((self.path, self.headers.get("Range")))
        content = server.files.get(self.path)
        if content is None:
            self.send_error(404)
            return
        begin = 0
        if self.headers.get("Range") and server.ranges:
            begin = int(self.headers["Range"].removeprefix("bytes=").rstrip("-"))
            if begin >= len(content):
                self.send_error(416)
                return
        self.send_response(206 if begin else 200)
        self.send_header("Content-Length", str(len(content) - begin))
        self.end_headers()
        self.wfile.write(content[begin : server.breaks_at])

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    with ThreadingHTTPServer(("127.0.0.1", 0), Home) as server:
        server.files, server.asked, server.ranges, server.breaks_at = {}, [], True, None
        server.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()
