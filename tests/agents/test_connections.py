"""Keys and servers: who has the first word, what is refused, and that no key is written down."""

from __future__ import annotations

import pytest

from agents import connections
from agents.connections import connection, redact, use_key, use_url
from agents.errors import ConnectionInputError

KEY = "AIza-typed-by-a-person-0001"


def key_of(provider):
    held = connection(provider).api_key
    return held and held.get_secret_value()


def test_without_anything_gemini_is_asked_at_its_own_address_and_has_no_key():
    assert connection("gemini") == connections.Connection(None, None)


def test_servers_on_this_machine_have_their_usual_addresses():
    assert connection("llama").base_url == "http://127.0.0.1:8080/v1"
    assert connection("ollama").base_url == "http://127.0.0.1:11434"


def test_what_is_typed_goes_before_the_environment_until_it_is_taken_back(monkeypatch):
    monkeypatch.setenv("GEMINI_API_KEY", "from-the-environment")
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", "http://127.0.0.1:1")
    assert (key_of("gemini"), connection("gemini").typed_key) == ("from-the-environment", False)

    use_key("gemini", f" {KEY}\n")
    use_url("gemini", "http://127.0.0.1:2/v9/ ")
    assert (key_of("gemini"), connection("gemini").typed_key) == (KEY, True)
    assert connection("gemini").base_url == "http://127.0.0.1:2/v9"

    use_key("gemini", "")
    use_url("gemini", None)
    assert (key_of("gemini"), connection("gemini").base_url) == ("from-the-environment", "http://127.0.0.1:1")


def test_a_key_belongs_to_its_provider():
    use_key("llama", KEY)

    assert (key_of("llama"), key_of("gemini"), key_of("ollama")) == (KEY, None, None)


def test_a_key_is_not_shown_by_what_holds_it():
    use_key("gemini", KEY)

    assert KEY not in f"{connection('gemini')!r} {connection('gemini')}"


@pytest.mark.parametrize("text", ["two words", "line\nbreak", "schlüssel", "x" * 501, "a\x00b"])
def test_what_cannot_be_a_key_is_refused_without_repeating_it(text):
    with pytest.raises(ConnectionInputError) as refused:
        use_key("gemini", text)

    assert text not in str(refused.value)
    assert key_of("gemini") is None


@pytest.mark.parametrize(
    "url", ["localhost:8080", "ftp://x/", "http://", "http://me:secret@box/v1", "http://box/v1?key=1", "http://a b/", "x"]
)
def test_what_is_no_address_is_refused_without_repeating_it(url):
    with pytest.raises(ConnectionInputError) as refused:
        use_url("llama", url)

    assert "secret" not in str(refused.value)
    assert connection("llama").base_url == "http://127.0.0.1:8080/v1"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("GET https://x/v1?key=abc-1&alt=sse failed", "GET https://x/v1?key=[key]&alt=sse failed"),
        ("{'x-goog-api-key': 'abc-1'}", "{'x-goog-api-key': '[key]'}"),
        ("Authorization: Bearer abc.def", "Authorization: Bearer [key]"),
        ("no access with s3cret-from-env", "no access with [key]"),
        (f"no access with {KEY}", "no access with [key]"),
        ("state key 'draft' is missing", "state key 'draft' is missing"),
        ("keys=5, monkey=abc", "keys=5, monkey=abc"),
    ],
)
def test_keys_are_taken_out_of_texts(monkeypatch, text, shown):
    monkeypatch.setenv("GOOGLE_API_KEY", "s3cret-from-env")
    use_key("llama", KEY)

    assert redact(text) == shown


def test_a_key_that_was_taken_back_is_still_taken_out():
    use_key("gemini", KEY)
    use_key("gemini", None)

    assert redact(f"refused: {KEY}") == "refused: [key]"


def test_nothing_is_left_of_a_key_that_another_one_is_a_part_of(monkeypatch):
    monkeypatch.setenv("GOOGLE_API_KEY", f"{KEY}-and-more")
    for part in (KEY, KEY[:-4], KEY[5:], f"x{KEY}x"):
        use_key("llama", part)

    assert redact(f"<{KEY}-and-more> <{KEY}> <x{KEY}x>") == "<[key]> <[key]> <[key]>"


def test_a_key_of_nobody_elses_is_taken_out_for_who_knows_it():
    use_key("llama", KEY)

    assert redact(f"<{KEY}-of-a-model> <short>", f"{KEY}-of-a-model", "short") == "<[key]> <short>"
