"""Arguments that come as an object of the server's JSON are held to the same as those that come as text."""

from __future__ import annotations

import json

import pytest
from google.genai import types

from agents.models.ollama.model import Ollama
from agents.models.openai_compatible.model import Llama
from agents.models.tool_arguments.exact_json import UnreadableJsonError, checked, read_message
from agents.models.tool_arguments.unreadable_call import why_unreadable
from tests.agents.models.providers import ask, request
from tests.standins.server import Answer


def pay(to: str, amount: float) -> str:
    """Pays."""
    return f"{amount} to {to}"


async def called(model, arguments: str, *, is_ollama: bool, stream: bool, server) -> types.FunctionCall:
    call = f'{{"function": {{"name": "pay", "arguments": {arguments}}}}}'
    message = f'{{"role": "assistant", "content": "", "tool_calls": [{call}]}}'
    if is_ollama:
        whole = f'{{"model": "small", "message": {message}, "done": true, "done_reason": "stop"}}'
    else:
        whole = f'{{"choices": [{{"delta": {message}, "message": {message}, "finish_reason": "tool_calls"}}]}}'
    server.will(Answer((whole.encode(),)))
    asked = request("Pay.", functions=[pay])
    found = (await ask(model, asked, stream=stream))[-1].content.parts[-1].function_call
    await model.aclose()
    return found


@pytest.mark.anyio
@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("provider", ["ollama", "llama"])
async def test_one_key_with_two_values_is_an_error_that_the_model_sees(provider, stream, ollama_server, openai_server):
    is_ollama = provider == "ollama"
    server = ollama_server if is_ollama else openai_server
    model = (
        Ollama(model="ollama/small", base_url=server.url)
        if is_ollama
        else Llama(model="llama/small", base_url=server.url, tool_protocol="native")
    )

    async def make(arguments):
        return await called(model, arguments, is_ollama=is_ollama, stream=stream, server=server)

    assert (await make('{"to": "Ann", "amount": 10}')).args == {"to": "Ann", "amount": 10}
    assert (await make('{"to": "Ann", "amount": 10, "to": "Ann"}')).args == {"to": "Ann", "amount": 10}
    doubled = why_unreadable(await make('{"to": "Ann", "amount": 10, "amount": 1000}'))
    assert doubled is not None
    assert "gives 'amount' two different values" in doubled
    deep = why_unreadable(await make('{"to": {"list": [{"a": 1, "a": true}]}}'))
    assert deep is not None
    assert "gives 'a' two different values" in deep
    rounded = why_unreadable(await make('{"to": "Ann", "amount": 9007199254740993.0}'))
    assert rounded is not None
    assert "9007199254740993.0 has more digits than a fraction keeps" in rounded


@pytest.mark.parametrize("text", ['{"a": 1, "a": 2}', '{"a": 1e999}', '[{"a": NaN}]', '{"a": "x", "\\u0061": "y"}'])
def test_what_could_mean_two_things_is_read_and_not_taken_for_arguments(text):
    value = read_message(text.encode())
    with pytest.raises(UnreadableJsonError):
        checked(value)


@pytest.mark.parametrize(
    "text", ['{"a": [1, 1.5, "\\ud83d\\ude00", null], "b": {"c": 12345678901234567890}}', '{"a": 1, "a": 1}']
)
def test_what_means_one_thing_is_read_as_ever(text):
    assert checked(read_message(text.encode())) == json.loads(text)


@pytest.mark.parametrize("data", [b"{", b"\xff", b"", b"[" * 100_000])
def test_what_is_no_json_is_refused(data):
    with pytest.raises((ValueError, RecursionError)):
        read_message(data)
