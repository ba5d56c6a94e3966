"""How much and how long a client may ask."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Limits of the server.

    Attributes
    ----------
    body : int
        Bytes of a request's body; more gets 413.
    texts : int
        Texts in a request, as many as OpenAI allows; more gets 413.
    numbers : int
        Numbers in an answer; more gets 413.
    explained : int
        Characters of the texts of an explanation, whose cost grows with pairs of words.
    waiting : int
        Texts that wait for vectors; more gets 429.
    questions : int
        Searches, classifications and explanations that wait; more gets 429.
    memory : int
        Bytes of all bodies at the same time; more gets 429.
    connections : int
        Open connections; further ones get 503.
    head : int
        Bytes of a request's head; more gets 431.
    head_seconds, body_seconds : float
        Time for the head and for the body of a request to arrive; then 408.
    idle_seconds : float
        How long a connection may wait for its next request.
    write_seconds : float
        A connection that takes nothing of its answer for so long is ended.
    stop_seconds : float
        Time for the requests at hand when the server is stopped.
    """

    body: int = 8 << 20
    texts: int = 2_048
    numbers: int = 4 << 20
    explained: int = 50_000
    waiting: int = 8_192
    questions: int = 128
    memory: int = 256 << 20
    connections: int = 1_024
    head: int = 64 << 10
    head_seconds: float = 10.0
    body_seconds: float = 30.0
    idle_seconds: float = 75.0
    write_seconds: float = 20.0
    stop_seconds: float = 30.0
