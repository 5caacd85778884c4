"""Keys, tokens and passwords are masked by their form."""

from __future__ import annotations

import json

import pytest

from agents.transcripts.secrets import Secrets

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
