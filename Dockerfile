# An image that serves a model: docs/serve.md.
FROM python:3.13-slim

RUN useradd --system --uid 10001 --no-create-home psif
WORKDIR /build
COPY pyproject.toml README.md LICENSE ./
COPY src ./src
RUN pip install --no-cache-dir '.[serve]' && rm -rf /build

# Compiled loops are kept where an ordinary user may write.
ENV NUMBA_CACHE_DIR=/tmp/numba PYTHONUNBUFFERED=1
WORKDIR /
USER 10001
EXPOSE 8000
HEALTHCHECK --start-period=30s CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/health', timeout=5)"]

# PSIF_API_KEY has to be set: the server refuses to listen for others without a key.
ENTRYPOINT ["psif", "serve", "--host", "0.0.0.0", "--port", "8000"]
CMD ["/model"]
