"""Keys and servers: who has the first word, what is refused, and that no key is written down."""

from __future__ import annotations

import pytest
from pydantic import SecretStr

from agents.errors import ConnectionInputError
from agents.models import connections
from agents.models.connections import WithheldKey, allow_key, connection, redact, use_key, use_url, why_withheld

KEY = "AIza-typed-by-a-person-0001"
GOOGLE = "https://generativelanguage.googleapis.com"


def key_of(provider):
    held = connection(provider).api_key
    return held and held.get_secret_value()


def test_without_anything_gemini_is_asked_at_its_own_address_and_has_no_key():
    assert connection("gemini") == connections.Connection(GOOGLE, None)


def test_servers_on_this_machine_have_their_usual_addresses():
    assert connection("llama").base_url == "http://127.0.0.1:8080/v1"
    assert connection("ollama").base_url == "http://127.0.0.1:11434"


def test_what_is_typed_goes_before_the_environment_until_it_is_taken_back(monkeypatch):
    monkeypatch.setenv("GEMINI_API_KEY", "from-the-environment")
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", "http://127.0.0.1:1")
    assert (key_of("gemini"), connection("gemini").typed_key) == ("from-the-environment", False)

    use_url("gemini", "http://127.0.0.1:2/v9/ ")
    use_key("gemini", f" {KEY}\n")
    assert (key_of("gemini"), connection("gemini").typed_key) == (KEY, True)
    assert connection("gemini").base_url == "http://127.0.0.1:2/v9"

    use_key("gemini", "")
    use_url("gemini", None)
    assert (key_of("gemini"), connection("gemini").base_url) == ("from-the-environment", "http://127.0.0.1:1")


def test_google_api_key_wins(monkeypatch):
    monkeypatch.setenv("GEMINI_API_KEY", "second\n")
    assert key_of("gemini") == "second"
    monkeypatch.setenv("GOOGLE_API_KEY", "first")
    assert key_of("gemini") == "first"


@pytest.mark.parametrize(
    ("given", "address"),
    [
        (None, "http://127.0.0.1:11434"),
        ("", "http://127.0.0.1:11434"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("0.0.0.0:80", "http://127.0.0.1:80"),
        ("box:9", "http://box:9"),
        ("https://box/ollama/", "https://box:443/ollama"),
        ("[::1]", "http://[::1]:11434"),
    ],
)
def test_the_address_of_ollama_is_read_as_ollama_reads_it(monkeypatch, given, address):
    if given is not None:
        monkeypatch.setenv("OLLAMA_HOST", given)

    assert connection("ollama").base_url == address


def test_a_key_belongs_to_its_provider():
    use_key("llama", KEY)

    assert (key_of("llama"), key_of("gemini"), key_of("ollama")) == (KEY, None, None)


# -- a key goes to the server that it was given for

OTHER = "http://127.0.0.1:2"


def test_a_typed_key_is_not_sent_to_a_server_that_is_set_later():
    use_key("gemini", KEY)
    use_url("gemini", OTHER)

    assert connection("gemini") == connections.Connection(OTHER, None, withheld=WithheldKey(GOOGLE, typed=True))

    use_url("gemini", None)
    assert key_of("gemini") == KEY


def test_a_key_of_the_environment_is_for_the_environments_server(monkeypatch):
    monkeypatch.setenv("LLAMA_API_KEY", "from-the-environment")
    use_url("llama", OTHER)

    known = connection("llama")
    assert (known.api_key, known.withheld) == (None, WithheldKey("http://127.0.0.1:8080/v1", typed=False))
    assert connection("llama", base_url="http://127.0.0.1:3").api_key is None

    monkeypatch.setenv("LLAMA_BASE_URL", f"{OTHER}/")
    assert key_of("llama") == "from-the-environment"


def test_the_environments_key_is_used_where_the_typed_one_is_for_another_server(monkeypatch):
    monkeypatch.setenv("GEMINI_API_KEY", "from-the-environment")
    use_url("gemini", OTHER)
    use_key("gemini", KEY)
    assert key_of("gemini") == KEY

    use_url("gemini", None)
    assert (key_of("gemini"), connection("gemini").typed_key) == ("from-the-environment", False)


def test_a_key_that_is_allowed_for_a_server_goes_there_and_nowhere_else(monkeypatch):
    monkeypatch.setenv("GEMINI_API_KEY", "from-the-environment")
    use_url("gemini", OTHER)
    allow_key("gemini", OTHER)
    assert key_of("gemini") == "from-the-environment"

    use_url("gemini", "http://127.0.0.1:4")
    assert key_of("gemini") is None


def test_what_was_allowed_for_one_key_does_not_hold_for_the_next(monkeypatch):
    monkeypatch.setenv("GEMINI_API_KEY", "from-the-environment")
    use_url("gemini", OTHER)
    allow_key("gemini", OTHER)
    use_key("gemini", KEY, base_url=GOOGLE)
    monkeypatch.delenv("GEMINI_API_KEY")

    assert key_of("gemini") is None


def test_a_key_is_given_for_the_server_that_was_shown_not_for_one_set_meanwhile():
    use_url("gemini", OTHER)
    use_key("gemini", KEY, base_url=GOOGLE)

    assert key_of("gemini") is None


def test_a_models_own_key_is_not_sent_to_a_server_of_the_settings(monkeypatch):
    own = SecretStr("of-the-model")
    use_url("llama", OTHER)
    assert connection("llama", api_key=own) == connections.Connection("http://127.0.0.1:8080/v1", own)

    monkeypatch.setenv("LLAMA_BASE_URL", "http://127.0.0.1:5")
    assert connection("llama", api_key=own).base_url == "http://127.0.0.1:5"
    assert connection("llama", base_url=OTHER, api_key=own).base_url == OTHER


@pytest.mark.parametrize("spelled", ["HTTP://127.0.0.1:2", "http://127.0.0.1:2/", " http://127.0.0.1:2 "])
def test_spellings_of_one_url_are_one_server(spelled):
    use_url("llama", OTHER)
    use_key("llama", KEY)
    use_url("llama", spelled)

    assert key_of("llama") == KEY


@pytest.mark.parametrize(
    "other", ["https://127.0.0.1:2", "http://127.0.0.1:22", "http://127.0.0.1:2/proxy", "http://127.0.0.1.example:2"]
)
def test_any_other_url_is_another_server(other):
    use_url("llama", OTHER)
    use_key("llama", KEY)
    use_url("llama", other)

    assert key_of("llama") is None


def test_why_a_key_is_withheld_names_both_servers_and_what_to_do(monkeypatch):
    use_url("gemini", OTHER)
    assert why_withheld("gemini", connection("gemini")) == ""

    monkeypatch.setenv("GEMINI_API_KEY", "from-the-environment")
    said = why_withheld("gemini", connection("gemini"))
    assert all(part in said for part in (GOOGLE, OTHER, "GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL", "Settings"))
    assert "from-the-environment" not in said


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
