"""The app as a stranger starts it: a process of its own, with a database of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from agents.pipelines.catalog import BUILT_IN
from tests.forks import COMMAND, Fork
from ui.cli.running.run import PAUSED
from ui.web import warmup

ROOT = Path(__file__).parents[2]
IMPORTED = (
    *COMMAND,
    *warmup.PAGES,
    *(f"agents.pipelines.{name}.{module}" for name in BUILT_IN for module in ("agent", "card")),
    *("ui.forks.dialog", "ui.sessions.page", "ui.web.routes.feed"),
    *("sqlite_utils", "uvicorn"),
)
"""What a server has imported once it has made its database and drawn a page."""
SLOW = 12
"""Words a second: slow enough to look at a run from several sides before it ends."""


class App:
    """One `playground` server; may be started again on the same database.

    Attributes:
        place: What `--db` is given.
        printed: What it has printed; after its first lines, once it has ended.
    """

    def __init__(
        self,
        database: Path,
        *,
        words_per_second: float = 0,
        agents: Path | None = None,
        host: str | None = None,
        variables: Mapping[str, str] | None = None,
        command: Sequence[str] = (sys.executable, "-m", "ui.cli"),
        folder: Path | None = None,
        place: str | None = None,
    ) -> None:
        self.database = database
        self.place = place or str(database)
        self.words_per_second = words_per_second
        self.agents = agents
        self.host = host
        self.variables = dict(variables or {})
        self.command = command
        self.folder = folder
        self.printed = ""
        self.url = ""
        self._process: subprocess.Popen[str] | Fork | None = None

    def start(self, port: int = 0) -> App:
        command = [*self.command, "--no-browser", "--port", str(port), "--db", self.place]
        if self.host:
            command += ["--host", self.host]
        if self.agents:
            command += ["--agents", str(self.agents)]
        self._process = self._begin(command)
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.printed += line
            if "http://" in line:
                self.url = line[line.index("http://") :].strip()
                return self
        raise AssertionError(f"the server ended without an address:\n{self.printed}")

    def _begin(self, command: Sequence[str]) -> subprocess.Popen[str] | Fork:
        return subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=self.environment,
            cwd=self.folder,
            start_new_session=True,
        )

    def printed_with(self, text: str) -> str:
        """The line with `text` that it prints after its address."""
        assert self._process is not None
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.printed += line
            if text in line:
                return line
        raise AssertionError(f"the server ended without {text!r}:\n{self.printed}")

    @property
    def environment(self) -> dict[str, str]:
        files = self.database.with_suffix(".files")
        own = {"PLAYGROUND_SIMULATED_SPEED": str(self.words_per_second), "PLAYGROUND_FILES": str(files)}
        return os.environ | own | self.variables

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def port(self) -> int:
        return int(self.url.rsplit(":", 1)[1])

    def kill(self) -> None:
        """As a power cut would end it."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """As Ctrl-C ends it."""
        self._end(signal.SIGINT)

    def _end(self, number: signal.Signals) -> None:
        if self._process is None:
            return
        self._process.send_signal(number)
        self.wait()

    def wait(self) -> int:
        """Waits for its end, which something else brings about; returns its exit code."""
        assert self._process is not None
        code = self._process.wait(timeout=60)
        self.printed += self._process.communicate()[0]
        self._process = None
        return code


class ForkedApp(App):
    """The same in the time of a fork, for journeys that are not about its start: a fork of a process with its imports."""

    def _begin(self, command: Sequence[str]) -> Fork:
        _interpreter, *arguments = command
        folder = self.folder or ROOT
        return Fork(arguments, cwd=folder, one_stream=True, environment=self.environment, imported=IMPORTED)


def run_command(app: App, *arguments: str) -> str:
    """Runs a command on an app's database, as a user does in a terminal beside it; returns what it prints.

    Raises:
        AssertionError: It failed; a run that waits for an answer has not. The message has what it said.
    """
    command = ["-m", "ui.cli", *arguments, "--db", app.place]
    with Fork(command, cwd=ROOT, environment=app.environment, imported=IMPORTED) as process:
        printed, errors = process.communicate()
    assert process.returncode in {0, PAUSED}, f"{printed}\n{errors}"
    return printed
