"""Servers with OpenAI's API, as a provider."""

from __future__ import annotations

from agents.models.provider import Endpoint, Provider

PROVIDER = Provider(
    name="llama",
    label="Llama server",
    about="Any server that speaks as OpenAI's does: llama.cpp's, vLLM, LM Studio and others.",
    access=Endpoint(
        url="http://127.0.0.1:8080/v1",
        url_variable="LLAMA_BASE_URL",
        url_label="Base URL, with /v1 at its end",
        key_variables=("LLAMA_API_KEY",),
    ),
    llm_class="agents.models.openai_compatible.model:Llama",
    prefix="llama/",
    mime_types=("image/png", "image/jpeg", "image/webp", "image/gif"),
    files_about="Images go to the server, which refuses them if its model cannot see; text files go as text.",
)
