"""The application: paths and what answers them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, Router

from psif.runtime.threads import resolve_jobs
from psif.serve import questions
from psif.serve.batching import Batcher
from psif.serve.bodies import Bodies
from psif.serve.embeddings import asked_dimensions, embedding_list, encoding_of, shortened
from psif.serve.failures import RequestError, invalid, json_response
from psif.serve.fields import texts_of
from psif.serve.guard import Guard
from psif.serve.limits import Limits
from psif.serve.metrics import Metrics
from psif.serve.served import Served, by_name, unknown_name
from psif.version import __version__

# Writing so many numbers as JSON takes a few milliseconds.
_MANY_NUMBERS = 100_000
QUESTIONS = {
    "/v1/similarity": (questions.similarity, "model"),
    "/v1/explain": (questions.explain, "model"),
    "/v1/search": (questions.search, "index"),
    "/v1/classify": (questions.classify, "classifier"),
}


class Application:
    """Answers of a server.

    Parameters
    ----------
    served : list of Served
        The first of a kind answers requests that name no model.
    limits : Limits, optional
    """

    def __init__(self, served: list[Served], limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.metrics = Metrics()
        self.stopping = False
        self._served = by_name(served)
        self._bodies = Bodies(self.limits)
        self._executor = ThreadPoolExecutor(resolve_jobs(None), "psif-serve")
        self._threads = questions.Threads(self._executor, self.limits.questions)
        self._batchers = {
            one.name: Batcher(
                one.embed, self.limits.waiting, self._executor,
                partial(self.metrics.batch, one.name),
            )
            for one in served if one.embed is not None
        }  # fmt: skip

    def asgi(
        self,
        *,
        key: str | None = None,
        host: str = "127.0.0.1",
        log: Callable[[str], None] | None = None,
        report: Callable[[str], None] | None = None,
    ) -> Guard:
        """Return the ASGI application; see :class:`psif.serve.guard.Guard`."""
        routes = [
            # Routes are tried in this order: what is asked most comes first.
            Route("/v1/embeddings", self._embeddings, methods=["POST"]),
            Route("/health", self._health),
            Route("/metrics", self._metrics),
            Route("/v1/models", self._models),
            Route("/v1/models/{name:path}", self._model),
            *(
                Route(path, partial(self._question, make, kind), methods=["POST"])
                for path, (make, kind) in QUESTIONS.items()
            ),
        ]
        app = Router(routes=routes, lifespan=self._lifespan)
        paths = {route.path for route in routes}
        return Guard(
            app, paths=paths, metrics=self.metrics, key=key, host=host, log=log, report=report
        )

    @contextlib.asynccontextmanager
    async def _lifespan(self, app: object) -> AsyncIterator[None]:
        yield
        self._executor.shutdown()

    async def _health(self, request: Request) -> Response:
        if self.stopping:
            return json_response({"status": "stopping"}, 503)
        return json_response({"status": "ok", "version": __version__})

    async def _metrics(self, request: Request) -> Response:
        return Response(self.metrics.text(), headers={"content-type": Metrics.content_type})

    async def _models(self, request: Request) -> Response:
        data = [_described(one) for one in self._served.values()]
        return json_response({"object": "list", "data": data})

    async def _model(self, request: Request) -> Response:
        return json_response(_described(self._find(request.path_params["name"])))

    async def _embeddings(self, request: Request) -> Response:
        body = await self._bodies.json(request)
        served = self._choose(body, "model")
        texts = texts_of(body, "input", self.limits)
        encoding = encoding_of(body)
        batcher = self._batchers.get(served.name)
        if batcher is None:
            message = f"{served.name} is an index of words alone; it has no vectors."
            raise RequestError(400, message, "wrong_kind_of_model", "model")
        n_dims = asked_dimensions(body, served, len(texts), self.limits)
        vectors, counts = await batcher.vectors(texts)
        self.metrics.embedded(served.name, len(texts), int(counts.sum()))

        def answer() -> Response:
            short = shortened(vectors, n_dims)
            return json_response(embedding_list(served.name, short, counts, encoding))

        if vectors.size < _MANY_NUMBERS:
            return answer()
        return await asyncio.get_running_loop().run_in_executor(self._executor, answer)

    async def _question(
        self, make: Callable[..., Callable[[], Any]], kind: str, request: Request
    ) -> Response:
        body = await self._bodies.json(request)
        served = self._choose(body, kind)
        return json_response(await self._threads.run(make(served, body, self.limits)))

    def _choose(self, body: dict[str, Any], kind: str) -> Served:
        name = body.get("model")
        if name is None:
            all_served = list(self._served.values())
            return next((one for one in all_served if one.kind == kind), all_served[0])
        if not isinstance(name, str):
            raise invalid("'model' must be the name of a model.", "model")
        return self._find(name)

    def _find(self, name: str) -> Served:
        found = self._served.get(name)
        if found is None:
            message = unknown_name(name, list(self._served))
            raise RequestError(404, message, "model_not_found", "model")
        return found


def _described(served: Served) -> dict[str, Any]:
    return {
        "id": served.name,
        "object": "model",
        "created": 0,
        "owned_by": "psif",
        "kind": served.kind,
        "dimensions": served.n_dims,
    }
