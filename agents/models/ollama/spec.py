"""Ollama as a provider."""

from __future__ import annotations

from urllib.parse import urlsplit

from agents.models.provider import Endpoint, Provider

_PORT = 11434


def url_of(host: str) -> str:
    """The URL in `OLLAMA_HOST`, read as Ollama reads it: HOST, HOST:PORT or a whole address."""
    parts = urlsplit(host if "://" in host else f"http://{host}")
    name = "127.0.0.1" if parts.hostname in {None, "0.0.0.0", "::"} else parts.hostname  # noqa: S104  listened on, not called
    port = parts.port or {"https": 443}.get(parts.scheme, _PORT)
    return f"{parts.scheme}://{f'[{name}]' if ':' in str(name) else name}:{port}{parts.path.rstrip('/')}"


PROVIDER = Provider(
    name="ollama",
    label="Ollama",
    about="Ollama, which fetches and runs models on a machine of yours.",
    access=Endpoint(url=f"http://127.0.0.1:{_PORT}", url_variable="OLLAMA_HOST", read_url=url_of),
    llm_class="agents.models.ollama.model:Ollama",
    prefix="ollama/",
    mime_types=("image/png", "image/jpeg", "image/webp"),
    files_about="Images go to models that can see, others are told that one was left out; text files go as text.",
    free=("ollama/*",),
)
