"""Errors of requests, in the form that clients of OpenAI's interface expect."""

from __future__ import annotations

import orjson
from starlette.responses import Response


class RequestError(Exception):
    """A request cannot be answered; the message is for the client.

    Parameters
    ----------
    status : int
    message : str
        Says what was wrong. It never repeats a text of the request.
    code : str
        A short name for programs.
    param : str or None
        The field of the request that was wrong.
    """

    def __init__(self, status: int, message: str, code: str, param: str | None = None) -> None:
        super().__init__(message)
        self.status, self.code, self.param = status, code, param

    def response(self) -> Response:
        """Return the answer to send."""
        headers = {}
        if self.status == 429:
            headers["retry-after"] = "1"
        if self.status == 401:
            headers["www-authenticate"] = "Bearer"
        if self.status in (408, 413):
            # The rest of the request is not read.
            headers["connection"] = "close"
        content = {
            "error": {
                "message": str(self),
                "type": _TYPES.get(self.status, "invalid_request_error"),
                "param": self.param,
                "code": self.code,
            }
        }
        return json_response(content, self.status, headers)


_TYPES = {
    401: "authentication_error",
    403: "permission_error",
    429: "rate_limit_error",
    500: "server_error",
    503: "server_error",
}


def invalid(message: str, param: str | None = None) -> RequestError:
    """Return the error for a field with a wrong value."""
    return RequestError(400, message, "invalid_value", param)


def busy() -> RequestError:
    """Return the error of a server that has too much to do."""
    return RequestError(429, "the server is busy; try again in a moment.", "server_busy")


def json_response(
    content: object, status: int = 200, headers: dict[str, str] | None = None
) -> Response:
    """Return plain data and NumPy arrays as JSON."""
    body = orjson.dumps(content, option=orjson.OPT_SERIALIZE_NUMPY)
    return Response(body, status, headers, media_type="application/json")
