"""`Workspace`: everything of one database and the folders beside it, made once and handed down."""

from __future__ import annotations

import logging
import shutil
import threading
from copy import copy
from dataclasses import dataclass, field, replace
from pathlib import Path
from secrets import token_hex
from tempfile import gettempdir
from types import TracebackType
from typing import Self
from urllib.parse import quote

from agents.access import OWNER, Action, Activity, User, note, require
from agents.cases import CaseFiles, case_gate, cases_folder
from agents.config import database_password, files_folder, mcp_file, run_limits, visitor_key_file
from agents.forks import BackgroundForks, prepare_fork
from agents.jobs import Jobs
from agents.lab import Lab, LabJobs, MeasurementJobs, Measurements, lab_folder
from agents.lessons.copies import COPIES_FOLDER, Copies
from agents.lessons.desk import LessonDesk
from agents.pipelines import Catalog
from agents.runs import RunManager
from agents.runs.workers.limits import read_run_limits
from agents.runs.workers.orders import WorkPlace
from agents.scope import Scope
from agents.session import Leases
from agents.storage.address import Database, PostgresAddress, default_database, folder_beside, is_stored
from agents.storage.archive import Copied, Progress
from agents.storage.backup import Manifest, restore_backup, write_backup
from agents.storage.stores import check_writable, copy_database
from agents.teams import TEAMS_FOLDER, TeamStore
from agents.telemetry import RunCounts, trace_runs
from agents.toolsets.mcp.server_file import variables_named

CLOSE_WAIT = 1.0
"""Seconds that `close` waits for a run manager that is being made."""

_log = logging.getLogger(__name__)

FILES_FOLDER, CASES_FOLDER, LAB_FOLDER = "files", "cases", "lab"
DATA_FILES, TAUGHT_LISTS = "files", "lists"
USERS_FOLDER = "users"
"""In a folder of the owner's, that with the folders of other users, by their id."""


def _temporary_teams() -> Path:
    return Path(gettempdir()) / f"temporary-playground-teams-{token_hex(8)}"


@dataclass(slots=True)
class _Opened:
    """What all users of a workspace share."""

    scope: Scope = field(default_factory=Scope)
    lock: threading.RLock = field(default_factory=threading.RLock)
    catalog: Catalog | None = None
    copies: Catalog | None = None
    temporary: Path = field(default_factory=_temporary_teams)
    runs: RunManager | None = None
    counts: RunCounts | None = None
    measurements: Measurements | None = None
    jobs: Jobs = field(init=False)

    def __post_init__(self) -> None:
        with self.scope.entered():
            self.jobs = Jobs()


class Workspace:
    """One database and the folders beside it: what pages, routes and commands hold. Close it at the end.

    Nothing is opened or made before it is used. It does what its user may do, see `agents.access.RIGHTS`: that is the
    owner, until `as_user` gives it for another one.

    Attributes:
        database: Where the sessions are kept; None if in memory.
        agents_dir: The folder with the user's packages, or None.
        user: Who asks.

    Args:
        database: Where the sessions are kept; None keeps them in memory. Cases and lab runs are then kept beside the
            default database, see `default_database`, and teams in a temporary folder until it is closed.
        agents_dir: A folder with more pipelines.
        patience: Most seconds to wait for the imports of user packages.
        isolate: Whether runs of user packages that the owner starts work in processes of their own, as those of others do.
            Sessions in memory can only be run in this process.
        adopts: Whether it begins the runs that waited in servers that have ended, as a server does.
        takes_over: Whether runs are resumed whose process ended or stood still; see `agents.runs.servers`.
        leases: How long a process may stand still; None for the usual time.
    """

    def __init__(
        self,
        database: Database | None,
        *,
        agents_dir: Path | None = None,
        patience: float = threading.TIMEOUT_MAX,
        isolate: bool = False,
        adopts: bool = False,
        takes_over: bool = False,
        leases: Leases | None = None,
    ) -> None:
        self.database = database
        self.agents_dir = agents_dir
        self.user = OWNER
        self._patience = patience
        self._isolate = isolate
        self._adopts = adopts
        self._takes_over = takes_over
        is_shared = takes_over or isinstance(database, PostgresAddress)
        self._leases = replace(leases or Leases(), taken_over=is_shared)
        self._opened = _Opened()

    def as_user(self, user: User) -> Workspace:
        """This workspace as another user may use it. Cheap: it shares everything with this one, which closes it."""
        bound = copy(self)
        bound.user = replace(user, trail=self._write_audit)
        return bound

    @property
    def catalog(self) -> Catalog:
        """The pipelines.

        Raises:
            PipelineNotFoundError: There is no such folder, or it cannot be read.
        """
        with self._opened.lock, self._opened.scope.entered():
            if self._opened.catalog is None:
                self._opened.catalog = Catalog(self.agents_dir, teams=self.teams_folder, wait=self._patience)
            return self._opened.catalog if self.user.is_owner else self._opened.catalog.seen_by(self.user)

    @property
    def teams_folder(self) -> Path:
        """Where teams are kept: beside the database; of sessions in memory, in a temporary folder. It need not exist."""
        return self._opened.temporary if self.database is None else self._beside / TEAMS_FOLDER

    @property
    def teams(self) -> TeamStore:
        """The user's teams, which are in the catalog too."""
        return TeamStore(self.teams_folder, user=self.user, reserved=lambda: self.catalog.reserved)

    @property
    def lessons(self) -> LessonDesk:
        """The user's lessons."""
        if self.user.is_owner:
            return LessonDesk(self.runs, Copies(self.teams, lambda: self.catalog))
        store = TeamStore(self._copies_folder)  # the learner's own, by their names
        return LessonDesk(self.runs, Copies(store, self._copies, self.user.id))

    @property
    def _copies_folder(self) -> Path:
        return self.teams_folder.parent / COPIES_FOLDER if self.database else self.teams_folder.with_suffix(".copies")

    def _copies(self) -> Catalog:
        """The catalog of learners' copies."""
        with self._opened.lock, self._opened.scope.entered():
            if self._opened.copies is None:
                self._opened.copies = Catalog(teams=self._copies_folder, wait=self._patience)
            return self._opened.copies

    @property
    def is_stored(self) -> bool:
        """Whether there may be sessions: the first use of `runs` would make a file that is missing."""
        return self.database is not None and is_stored(self.database)

    @property
    def is_open(self) -> bool:
        """Whether the database is opened."""
        return self._opened.runs is not None

    @property
    def runs(self) -> RunManager:
        """Sessions, runs, models and playbooks. The first use opens the database; after an error the next one tries again.

        Raises:
            DatabaseError: The database cannot be used as it is.
            PipelineNotFoundError: The folder of user packages cannot be read.
        """
        with self._opened.lock, self._opened.scope.entered():
            if (runs := self._opened.runs) is None:
                runs = RunManager(
                    database=self.database,
                    catalog=self.as_user(OWNER).catalog,
                    gate=case_gate,
                    preparation=prepare_fork,
                    workers=self._work_place(),
                    adopts=self._adopts,
                    takes_over=self._takes_over,
                    leases=self._leases,
                )
                trace_runs(runs)
                self._opened.counts = RunCounts(runs)
                self._opened.runs = runs
        return runs if self.user == OWNER and not self.user.came_from else runs.as_user(self.user)

    @property
    def run_counts(self) -> RunCounts | None:
        """How many runs of this process ended how; None before the database is opened."""
        return self._opened.counts

    def check_ready(self) -> None:
        """Checks that sessions can be stored now: the database can be written, and its schema is this version's.

        Raises:
            DatabaseError: They cannot.
        """
        if self.database is not None:
            check_writable(self.database)

    @property
    def forks(self) -> BackgroundForks:
        """Forks of sessions; opens the database as `runs` does."""
        return BackgroundForks(self.runs)

    @property
    def cases_folder(self) -> Path:
        """Where the user's cases are kept: beside the user's agents, else beside the database."""
        return self._own(cases_folder(self._beside, self.agents_dir))

    def _own(self, folder: Path) -> Path:
        """Of a folder of the owner's, the one with the same for the user."""
        return folder if self.user.is_owner else folder / USERS_FOLDER / quote(self.user.id, safe="")

    @property
    def cases(self) -> CaseFiles:
        """The files of cases."""
        return CaseFiles(self.cases_folder, user=self.user)

    @property
    def lab(self) -> Lab:
        """The Lab."""
        with self._opened.scope.entered():
            return Lab(
                lab_folder(self._beside),
                database=self._database,
                agents_dir=self.agents_dir,
                teams=self.teams_folder,
                user=self.user,
            )

    @property
    def jobs(self) -> Jobs:
        """Its background work of all kinds. It checks no rights."""
        return self._opened.jobs

    @property
    def lab_jobs(self) -> LabJobs:
        """The lab runs that this process works on."""
        return LabJobs(self.lab, self.jobs, self.data_files)

    @property
    def data_files(self) -> Path:
        """The folder of data files that the user uploaded; it need not exist."""
        return self._own(lab_folder(self._beside) / DATA_FILES)

    @property
    def taught_lists(self) -> Path:
        """The folder of the lists that pipelines are taught from; it need not exist."""
        return lab_folder(self._beside) / TAUGHT_LISTS

    @property
    def measurements(self) -> Measurements:
        """The measured effects of playbooks."""
        with self._opened.lock:
            if self._opened.measurements is None:
                self._opened.measurements = Measurements(lab_folder(self._beside))
            return self._opened.measurements

    @property
    def measurement_jobs(self) -> MeasurementJobs:
        """The measurements that this process works on."""
        return MeasurementJobs(self.measurements, self.jobs, self.user)

    def copy_to(self, target: Database, progress: Progress) -> list[Copied]:
        """Copies the database to another one, without the folders beside it; see `agents.storage.stores.copy_database`.

        Raises:
            DatabaseError: It cannot be copied there.
            NotPermittedError: The user may not.
        """
        require(self.user, Action.USE_SERVICES)
        return copy_database(self._database, target, progress)

    @property
    def _folders(self) -> dict[str, Path]:
        """The folders beside the database, by their names in a backup."""
        return {
            TEAMS_FOLDER: self.teams_folder,
            COPIES_FOLDER: self._copies_folder,
            CASES_FOLDER: self.cases_folder,
            LAB_FOLDER: lab_folder(self._beside),
        }

    def back_up(self, target: Path, progress: Progress) -> tuple[Path, Manifest]:
        """Writes a backup of the database and all that belongs to it; see `agents.storage.backup.write_backup`.

        Raises:
            DatabaseError: It cannot be read, or the target is there already.
            NotPermittedError: The user may not.
        """
        require(self.user, Action.USE_SERVICES)
        folders = {**self._folders, FILES_FOLDER: files_folder()}
        return write_backup(self._database, target, folders=folders, key=self._key_file, progress=progress)

    def restore(self, file: Path, progress: Progress) -> Manifest:
        """Restores a backup to this workspace, which is still to be made; see `agents.storage.backup.restore_backup`.

        Working files of sessions come beside the database, wherever `PLAYGROUND_FILES` is.

        Raises:
            DatabaseError: It is no backup, is damaged, or something is there already. Then nothing was written.
            NotPermittedError: The user may not.
        """
        require(self.user, Action.USE_SERVICES)
        folders = {**self._folders, FILES_FOLDER: self._beside / FILES_FOLDER}
        return restore_backup(file, self._database, folders=folders, key=self._key_file, progress=progress)

    @property
    def _key_file(self) -> Path | None:
        """The file with the key of visitors' cookies; None where the database itself has it."""
        return visitor_key_file(self._database) if isinstance(self._database, Path) else None

    def close(self) -> bool:
        """Asks background work to stop, ends all runs, and closes the database. The next use of `runs` opens it again.

        A run manager that is still being made has no runs, and the end of the process is not delayed for it.

        Returns:
            Whether everything ended; False if a tool still blocks a thread.
        """
        self.jobs.stop_all()
        if not self._opened.lock.acquire(timeout=CLOSE_WAIT):
            return False
        try:
            runs, self._opened.runs, self._opened.catalog = self._opened.runs, None, None
            self._opened.copies = None
        finally:
            self._opened.lock.release()
        ended = runs is None or runs.close()
        for folder in (self._opened.temporary, self._opened.temporary.with_suffix(".copies")):
            shutil.rmtree(folder, ignore_errors=True)
        return ended

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _write_audit(self, user: User, what: Activity, of: str = "", *, ok: bool = True) -> None:
        note(replace(user, trail=self.runs.user.trail), what, of, ok=ok)

    def _work_place(self) -> WorkPlace | None:
        """Where worker processes work; None for sessions in memory, which no other process sees."""
        if self.database is None:
            if self._isolate:
                _log.warning("Sessions are kept in memory, so all runs stay in this process: no other one sees them.")
            return None
        servers = mcp_file(self._beside)
        database, password = self.database, database_password()
        if isinstance(database, PostgresAddress) and password:
            database = database.with_password(password)
        return WorkPlace(
            database,
            self.agents_dir,
            self.teams_folder,
            for_owner=self._isolate,
            limits=read_run_limits(run_limits()),
            variables=variables_named(servers),
            guarded=(*([database] if isinstance(database, Path) else []), servers),
            leases=self._leases,
        )

    @property
    def _database(self) -> Database:
        return self.database or default_database()

    @property
    def _beside(self) -> Path:
        return folder_beside(self._database)
