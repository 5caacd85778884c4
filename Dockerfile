# The playground in a container. `docker compose up`, then http://localhost:8501.
FROM python:3.11-slim

RUN pip install --no-cache-dir uv \
    && useradd --create-home --uid 1000 playground \
    && install --directory --owner=playground /data

WORKDIR /app
COPY pyproject.toml uv.lock README.md LICENSE CHANGELOG.md ./
RUN uv sync --frozen --no-dev --extra postgres --no-install-project
COPY .streamlit .streamlit
COPY agents agents
COPY ui ui
RUN uv sync --frozen --no-dev --extra postgres --no-editable

USER playground
ENV PATH=/app/.venv/bin:$PATH \
    PORT=8501 \
    PLAYGROUND_DB=/data/playground.db \
    PLAYGROUND_FILES=/data/files \
    PLAYGROUND_MODELS=/data/models
VOLUME /data
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/_stcore/health', timeout=5)"]
CMD ["sh", "-c", "exec playground --host 0.0.0.0 --port \"$PORT\" --no-browser"]
