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


TELEGRAM = "123456789:AAH0a1b2c3d4e5f6g7h8i9j0kLmNoPqRsTu"


def masked(said):
    """A text as it comes out of a line of JSON, within JSON, as arguments of tools are."""
    line = json.dumps({"arguments": json.dumps({"command": said}, ensure_ascii=False)}, ensure_ascii=False)
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
        ("mysql -u root -phunter2 shop", "mysql -u root -p[masked: password] shop"),
        ("sshpass -p 'hunter2' ssh -p 2222 ada@x", "sshpass -p '[masked: password]' ssh -p 2222 ada@x"),
        ("docker login -u ada -p hunter2 ghcr.io", "docker login -u ada -p [masked: password] ghcr.io"),
        ("redis-cli -h x -a hunter2 ping", "redis-cli -h x -a [masked: password] ping"),
        ('curl --user "ada:s3cr3t" x', 'curl --user "ada:[masked: authorization]" x'),
        ("openssl rsa -passin pass:hunter2 -out x", "openssl rsa -passin pass:[masked: password] -out x"),
        ('["mysqldump","--password","hunter2x"]', '["mysqldump","--password","[masked: password]"]'),
        (
            "machine api.example.com\n  login ada\n  password hunter2\n",
            "machine api.example.com\n  login ada\n  password [masked: password]\n",
        ),
        (f"t.me/bot{TELEGRAM}/getMe", "t.me/bot[masked: Telegram token]/getMe"),
        ("xsk-ant-" + "aB3dE5fG7h" * 4, "x[masked: Anthropic key]"),
        ("keyghp_" + "a1B2" * 9, "key[masked: GitHub token]"),
        (f"$ cat key\n{KEY}\n", "$ cat key\n[masked: Anthropic key]\n"),
        (f"key\t{KEY}", "key\t[masked: Anthropic key]"),
        (f"\x1b[32m{KEY}\x1b[0m", "\x1b[32m[masked: Anthropic key]\x1b[0m"),
        (f"鍵は{KEY}です", "鍵は[masked: Anthropic key]です"),
        ("next=%20ghp_" + "a1" * 18, "next=%20[masked: GitHub token]"),
        ("github_pat_11ABCDEFG0aBcDeFgHiJkL_" + "a1B2" * 9, "[masked: GitHub token]"),
        ("got IQoJb3JpZ2luX2Vj" + "aB3/+" * 150, "got [masked: AWS session token]"),
        ("AWS_SESSION_TOKEN=Zz1" + "aB3/+" * 150, "AWS_SESSION_TOKEN=[masked: key or token]"),
        ("postgres://ada:p@ss:word@db:5432/shop", "postgres://ada:[masked: password in an address]@db:5432/shop"),
        ("redis://:s3cr3t@cache/0", "redis://:[masked: password in an address]@cache/0"),
        ("PGPASSWORD=hunter2 psql -p 5432", "PGPASSWORD=[masked: password] psql -p 5432"),
        ("MYSQL_PWD=hunter2 mysql", "MYSQL_PWD=[masked: password] mysql"),
        (f"x?sv=1&sig={'aB3dE5fG7h' * 4}%3D", "x?sv=1&sig=[masked: signature in an address]"),
        (f"https://hooks.slack.com/services/T0/B0/{'aB3d' * 6}", "https://hooks.slack.com/services/[masked: Slack address]"),
        (
            f"https://discord.com/api/webhooks/123456/{'aB3d' * 6}",
            "https://discord.com/api/webhooks/123456/[masked: Discord address]",
        ),
        ("_auth=YWRhOmh1bnRlcjJodW50ZXIy", "_auth=[masked: key or token]"),
        ("Authorization: token " + "0123456789abcdef" * 2, "Authorization: token [masked: authorization]"),
        ("auth: {user: 'ada', pass: 'hunter2x'}", "auth: {user: 'ada', pass: '[masked: password]'}"),
        ("hvs." + "aB3dE5fG7h" * 4, "[masked: key of a service]"),
        ("密码: hunter2x", "密码: [masked: password]"),
        (
            "cat > .env <<'EOF'\nDB_PASSWORD=hunter2\nKEY=sk_live_" + "a1B2" * 6 + "\nEOF",
            "cat > .env <<'EOF'\nDB_PASSWORD=[masked: password]\nKEY=[masked: Stripe key]\nEOF",
        ),
        (
            "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQ\n-----END PGP PRIVATE KEY BLOCK-----\nx",
            "[masked: private key]\nx",
        ),
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
        "commit 0123456789abcdef0123456789abcdef01234567",
        "data:image/png;base64," + base64.b64encode(bytes(range(256)) * 3).decode(),
        "integrity sha512-" + base64.b64encode(bytes(range(64))).decode(),
        "/home/ada/work/shop/src/main/java/com/example/App2.java",
        "PWD=/home/ada/v2 OLDPWD=/home/ada/x1",
        "SSH_KEY=/home/ada/.ssh/id_ed25519 --key ~/.ssh/id_ed25519.pem",
        "--- PASS: TestLogin2 (0.00s) PASS: 'tests/login2.test.js'",
        'class="sk-toggleable__content fitted"',
        "task-management-for-everyone-2024-here",
        "feature/task-JIRA-1234-Fix-the-login-page-OAuth2",
        "laughs_something_long_identifier_name_2",
        "mkdir -p /tmp/x2 && docker run -p 8080:80 && psql -p 5432",
        "mysql -u root -p; git log -p -3",
        "gh auth login -p https",
        'curl -u "$USER:$PASS" x | docker run -u 1000:1000 image',
        "login with password authentication",
        'token_endpoint: "https://auth.example.com/v2/token1"',
        "| --- | ------------------------ | ---- |",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGV4YW1wbGVleGFtcGxl ada@x",
        "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
        "http://localhost:8080/@vite/client git@github.com:ada/shop.git",
        "パスワードを入力してください 密码长度至少8位",
    ],
)
def test_code_and_placeholders_stay(said):
    assert masked(said) == said


def test_a_key_after_an_escape_of_another_alphabet_is_masked():
    line = json.dumps({"text": f"鍵は{KEY}です"}).encode()
    assert json.loads(Secrets().mask(line))["text"] == "鍵は[masked: Anthropic key]です"


def test_many_lines_are_masked_as_each_of_them_is():
    lines = [json.dumps({"id": "a" * 20, "text": said}).encode() + b"\n" for said in (KEY, "x", f"PGPASSWORD=a1b2c3 {KEY}")]
    secrets = Secrets()
    assert secrets.mask(b"".join(lines)) == b"".join(Secrets().mask(line) for line in lines)
    assert dict(secrets.masked) == {"Anthropic key": 2, "password": 1}


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


def test_what_is_cut_or_shown_beside_the_session_is_masked():
    session = Claude()
    session.user(f"{'x' * 60} {KEY}")
    session.run("toolu_1", "x", "y" * 190 + " " + KEY, error=True)
    session.values.append({"type": "system", "subtype": KEY, "uuid": "u"})
    session.values.append({"type": "summary", "summary": f"The key {KEY}", "leafUuid": "u"})
    lines = session.text() + r'{"cut": {"text": "{\"b\":\"export PASSWORD=\\\"hunter2\\\" '
    read = read_transcript(io.BytesIO(lines.encode()), name="x.jsonl")
    try:
        kept = f"{read.log.title} {read.left_out} {[entry.body for entry in read.log.log]}"
        assert read.title == "The key [masked: Anthropic key]"
        assert "sk-ant" not in kept
        assert "hunter2" not in kept
    finally:
        read.close()
