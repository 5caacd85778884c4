"""What is read of a model file, and of a file that only pretends to be one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.models.local.gguf import Gguf, GgufError, read_gguf
from tests.standins.gguf import gguf

VALUES = {
    "general.architecture": "qwen2",
    "general.name": "Quite\nsmall \x1b[31m model",
    "general.alignment": 64,
    "qwen2.context_length": 32768,
    "qwen2.block_count": 28,
    "qwen2.embedding_length": 1536,
    "qwen2.attention.head_count": 12,
    "qwen2.attention.head_count_kv": 2,
    "tokenizer.ggml.tokens": ["a", "b", "ü"],
    "tokenizer.ggml.scores": [1, 2, 3],
    "tokenizer.chat_template": "x" * 5000,
}


@pytest.fixture
def read(tmp_path):
    def read(data: bytes) -> Gguf:
        path = tmp_path / "model.gguf"
        path.write_bytes(data)
        return read_gguf(path)

    return read


def test_a_file_says_what_it_is_and_what_it_takes(read):
    data = gguf(VALUES, [((4, 8), 0), ((10,), 128)])

    assert read(data) == Gguf(
        file_bytes=len(data),
        architecture="qwen2",
        name="Quite small [31m model",
        parameters=42,
        context_length=32768,
        token_bytes=28 * 2 * (128 + 128) * 2,
    )


def test_a_file_that_says_little_is_read_too(read):
    found = read(gguf({}, []))

    assert (found.architecture, found.name, found.parameters, found.context_length, found.token_bytes) == (
        "",
        "",
        0,
        None,
        0,
    )


def test_a_file_that_was_replaced_is_read_again(read):
    assert read(gguf()).parameters == 32
    assert read(gguf(tensors=[((7,), 0)], weights=300)).parameters == 7


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "too short"),
        (b"<!DOCTYPE html>", "is no GGUF file"),
        (gguf(version=9), "is of version 9"),
        (gguf()[:40], "too short"),
        (gguf(tensors=[((4,), 0), ((4,), 100_000)]), "ends before its weights do"),
        (gguf(tensors=[((1, 1, 1, 1, 1), 0)]), "impossible shape"),
        (gguf()[:8] + b"\xff" * 8 + gguf()[16:], "no model has that many parts"),
        (gguf()[:24] + b"\xff" * 8 + gguf()[32:], "a length in it is impossible"),
        (gguf({"list": [1]}).replace(b"\x09\0\0\0\x04\0\0\0", b"\x09\0\0\0\x63\0\0\0"), "a list in it"),
        (gguf({"n": 1}).replace(b"n\x04\0\0\0", b"n\x63\0\0\0"), "nothing is of kind 99"),
    ],
)
def test_what_is_no_whole_file_is_refused_with_the_reason(read, data, says):
    with pytest.raises(GgufError, match=says):
        read(data)


WHOLE = gguf(VALUES)


@given(data=st.data())
def test_no_file_does_worse_than_being_refused(tmp_path_factory, data):
    begin = data.draw(st.integers(0, len(WHOLE)))
    junk = data.draw(st.binary(max_size=40))
    end = data.draw(st.integers(begin, len(WHOLE)))
    path = tmp_path_factory.getbasetemp() / "junk.gguf"
    path.write_bytes(WHOLE[:begin] + junk + WHOLE[end:])

    try:
        found = read_gguf(path)
    except GgufError:
        return

    assert found.parameters >= 0
    assert found.name.isprintable()
