"""Files in a message: which a model takes, and how they reach it."""

from __future__ import annotations

import base64

import pytest
from google.genai import types
from pydantic import SecretStr

from agents.errors import ProviderError
from agents.models.abilities.attachments import attachments, is_text
from agents.models.gemini.model import Gemini
from agents.models.openai_compatible.errors import Server, as_error, refusal_of
from agents.models.openai_compatible.model import Llama
from tests.agents.models.providers import ask, request
from tests.standins.gemini import says as gemini_says
from tests.standins.openai_server import says

pytestmark = pytest.mark.anyio

PNG, PDF = b"\x89PNG", b"%PDF-1.7"


def with_files():
    asked = request()
    blobs = [(PNG, "image/png", "a.png"), (PDF, "application/pdf", "b.pdf"), ("é;1\n".encode(), "text/csv", "c.csv")]
    asked.contents[-1].parts += [
        types.Part(inline_data=types.Blob(data=data, mime_type=kind, display_name=name)) for data, kind, name in blobs
    ]
    return asked


async def test_gemini_takes_images_documents_and_texts(gemini_server):
    gemini_server.will(gemini_says("Yes."))
    model = Gemini(api_key=SecretStr("k"), base_url=gemini_server.url)

    await ask(model, with_files())
    await model.aclose()

    _, *files = gemini_server.received[-1].body["contents"][-1]["parts"]
    blobs = [one["inlineData"] for one in files]
    # Either spelling is right in protobuf's JSON. The API takes no names of files.
    sent = [(one.get("mimeType") or one["mime_type"], base64.b64decode(one["data"])) for one in blobs]
    assert [one.keys() & {"displayName", "display_name"} for one in blobs] == [set()] * 3
    assert sent == [("image/png", PNG), ("application/pdf", PDF), ("text/csv", "é;1\n".encode())]


async def test_a_server_takes_images_and_texts_and_is_told_what_was_left_out(openai_server):
    openai_server.will(says("Yes."))
    model = Llama(model="llama/m", base_url=openai_server.url)

    await ask(model, with_files())
    await model.aclose()

    _, image, document, table = openai_server.received[-1].body["messages"][-1]["content"]
    assert image["image_url"]["url"] == f"data:image/png;base64,{base64.b64encode(PNG).decode()}"
    assert "left out here (application/pdf)" in document["text"]
    assert table == {"type": "text", "text": "c.csv:\né;1\n"}


@pytest.mark.parametrize(
    "said",
    [
        "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
        "unsupported content[].type",
        "Unknown part type: image_url",
        "/m is not a multimodal model",
        "This model does not support image input.",
    ],
)
def test_a_server_that_refuses_an_image_says_so(said):
    refusal = refusal_of(400, said.encode(), {}, had_key=False)

    error = as_error(refusal, Server("llama/m", "http://127.0.0.1:1/v1"))

    assert isinstance(error, ProviderError)
    assert (error.code, error.retryable) == ("ATTACHMENT_REFUSED", False)
    assert said in str(error)


@pytest.mark.parametrize(
    ("model", "image", "document"),
    [
        ("gemini-flash-latest", True, True),
        ("llama/m", True, False),
        ("ollama/m", True, False),
        ("local/m", False, False),
        ("simulated", False, False),
        ("replay/p/s", False, False),
        ("a-class-of-my-own", False, False),
    ],
)
def test_what_a_model_takes_is_known_without_asking(model, image, document):
    taken = attachments(model)

    assert ("png" in taken.file_types, "image/jpeg" in taken.mime_types) == (image, image)
    assert ("pdf" in taken.file_types) == document
    assert {"txt", "csv", "json", "md"} <= set(taken.file_types)
    assert taken.about.endswith(".")


def test_texts_are_told_by_their_types():
    assert [is_text(kind) for kind in ("text/x-python; charset=utf-8", "application/json", "image/svg+xml")] == [True] * 3
    assert [is_text(kind) for kind in ("image/png", "application/pdf", None, "")] == [False] * 4
