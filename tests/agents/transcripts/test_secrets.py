"""Keys, tokens and passwords are masked by their form."""

from __future__ import annotations

import base64
import io
import json

import pytest

from agents.transcripts.formats.atif.reader import VERSION
from agents.transcripts.reading import read_transcript
from agents.transcripts.secrets import Secrets
from tests.agents.transcripts.samples import Claude

KEY = "sk-ant-api03-" + "aB3dE5fG7h" * 4
AN_AWS_SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzz"


def masked(said):
    """A text as it comes out of a line of JSON, within JSON, as arguments of tools are."""
    line = json.dumps({"arguments": json.dumps({"command": said})})
    return json.loads(json.loads(Secrets().mask(line.encode()))["arguments"])["command"]


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("sk-proj-" + "aB3_" * 10, "[masked: OpenAI key]"),
        ("token ghp_" + "a1" * 18, "token [masked: GitHub token]"),
        ("AKIAIOSFODNN7ABCDEFG", "[masked: AWS key]"),
        (f"export AWS_SECRET_ACCESS_KEY={AN_AWS_SECRET}", "export AWS_SECRET_ACCESS_KEY=[masked: key or token]"),
        ("SLACK=xoxb-123456789012-abcdefghij", "SLACK=[masked: Slack token]"),
        ("postgres://ada:s3cr3t@db/shop", "postgres://ada:[masked: password in an address]@db/shop"),
        ("Authorization: Bearer abcdef0123456789ABCDEF", "Authorization: Bearer [masked: authorization]"),
        ("DB_PASSWORD=correcthorse\nNEXT=1", "DB_PASSWORD=[masked: password]\nNEXT=1"),
        ('{"password": "hunter2!"}', '{"password": "[masked: password]"}'),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nx", "[masked: private key]\nx"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blbn", "[masked: private key]"),
        ("/home/ada/" + "folder/" * 60 + KEY, "/home/ada/" + "folder/" * 60 + "[masked: Anthropic key]"),
        (base64.b64encode(KEY.encode()).decode().rstrip("="), "[masked: key in Base64]"),
        (
            "login --password hunter2hunter2 --token a1b2c3d4e5f6",
            "login --password [masked: password] --token [masked: key or token]",
        ),
        ("curl -s -u ada:s3cr3tword https://x", "curl -s -u ada:[masked: authorization] https://x"),
        ("export DB_PASS=correcthorse", "export DB_PASS=[masked: password]"),
        ('{"auth":"YWRhOmh1bnRlcjJodW50ZXIy"}', '{"auth":"[masked: key or token]"}'),
        ("Cookie: session=abcdef0123456789", "Cookie: [masked: authorization]"),
        ("AccountKey=abcdEFGH0123456789", "AccountKey=[masked: key or token]"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4", "[masked: web token]"),
    ],
)
def test_a_secret_is_masked_and_nothing_else(said, left):
    assert masked(said) == left


@pytest.mark.parametrize(
    "said",
    [
        "password = input()",
        "def login(password: str, token: Optional[str])",
        '"input_tokens": 12345678, "max_tokens": 4096',
        "tokenizer = cl100k_base",
        "OPENAI_API_KEY=$OPENAI_API_KEY",
        "api_key=<your key>",
        "primary_key = user_id",
        "git log --format=%H --token-budget 5000",
        "docker run -u 1000:1000000 image",
        "curl https://example.com/users:1234567",
        "7d1b0c52-0000-4000-8000-000000000001",
        "the secret: reading the documentation",
    ],
)
def test_code_and_placeholders_stay(said):
    assert masked(said) == said


def test_each_secret_is_counted_by_kind():
    secrets = Secrets()
    secrets.mask(b"AKIAIOSFODNN7ABCDEFG AKIAIOSFODNN7ABCDEFG PASSWORD=abcdefgh")
    assert dict(secrets.masked) == {"AWS key": 2, "password": 1}


def everything(raw, name="session.jsonl"):
    read = read_transcript(io.BytesIO(raw.encode()), name=name)
    try:
        return f"{read.session} {read.title} {[entry.body for entry in read.log.log]}"
    finally:
        read.close()


@pytest.mark.parametrize("dash", ["-", "\\u002d", "\\\\u002d"])
def test_a_secret_that_is_written_with_escapes_is_masked(dash):
    session = Claude()
    session.user("Look.")
    session.run("toolu_1", f"cat {KEY}", KEY)
    found = everything(session.text().replace(KEY, KEY.replace("-", dash)))
    assert "[masked: Anthropic key]" in found
    assert "aB3dE5fG7h" not in found


def test_escapes_that_hide_nothing_stay():
    session = Claude()
    session.user("Look.")
    session.run("toolu_1", "grep x", r"pattern = '\u003c'")
    assert r"\\u003c" in everything(session.text())


def test_a_trajectory_with_escapes_and_a_file_name_with_a_key_are_masked():
    step = {"step_id": 1, "source": "user", "message": KEY.replace("-", "\\u002d")}
    raw = json.dumps({"schema_version": VERSION, "agent": {"name": "a", "version": "1"}, "steps": [step]})
    found = everything(raw.replace("\\\\u002d", "\\u002d"), name=f"{KEY}.json")
    assert "[masked: Anthropic key]" in found
    assert "aB3dE5fG7h" not in found
