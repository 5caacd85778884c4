"""`ListedSet`: a data set of few samples, in memory; and the samples of folders: of cases, and of sessions.

Of a case with one message the first expectation of an answer is the truth; of a session, what it was told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from agents.ace.roles.feedback import split_message
from agents.ace.roles.instructions import TRUTH_KEY
from agents.cases.case import Case
from agents.cases.expectations import AnswerContains, AnswerEquals, AnswerMatches, AnswerNumber, Expectation
from agents.cases.file import read_cases
from agents.errors import CaseError, DataSetError, SessionFileError
from agents.event import Event
from agents.lab.data.content import Fingerprint, Place, SeenSamples
from agents.lab.data.data_set import Malformed, Problem, ProblemKind, Split, checked_split
from agents.lab.data.fractions import split_by_fractions
from agents.lab.sample import Sample
from agents.log import EVENT_KIND
from agents.sharing.desk import read_shared
from agents.sharing.reader import MAX_SESSION_FILE_BYTES
from agents.sharing.session_file import SessionFile
from agents.storage.given_file import open_given

ABOUT_CASES = (
    "Cases that were kept of sessions that were right. They show whether that stays so, and little about what is new. Only "
    "the message and the first expectation of an answer are used, not the start state."
)
ABOUT_SESSIONS = (
    "Questions that were really asked. Of each session only the first message is used: what follows rests on what was said "
    "before. A right answer is known where a user or a file gave one; a thumb is none."
)
_SESSION_FILES = {".jsonl", ".json"}


class ListedSet:
    """Samples in memory, divided by fractions.

    Attributes:
        name: What it is called.
        about: What it can show and what not.
        scorer: The scorer that it is made for.
        problems: Files that were skipped.
        skipped: The number of files that were skipped, by kind.
        fingerprint: SHA-256 of its samples and splits.
    """

    def __init__(
        self,
        name: str,
        found: Iterable[Sample | Problem],
        *,
        about: str,
        scorer: Mapping[str, object],
        fractions: Mapping[Split, float],
        seed: int,
        malformed: Malformed,
    ) -> None:
        """Takes samples, and the problems of what is none.

        Args:
            name: What the set is called.
            found: Samples and problems, in order.
            about: What the set can show and what not.
            scorer: The scorer that it is made for.
            fractions: How much of the samples each split gets.
            seed: Of the division.
            malformed: "skip" goes on after a problem, "stop" raises an error.

        Raises:
            DataSetError: There is no sample; or a problem, with `malformed="stop"`.
        """
        self.name, self.about, self.scorer = name, about, scorer
        self._samples: list[Sample] = []
        self.problems: list[Problem] = []
        for one in _without_duplicates(found):
            if isinstance(one, Sample):
                self._samples.append(one)
            elif malformed == "stop":
                raise DataSetError(f'{one} Mend it, or choose malformed = "skip".')
            else:
                self.problems.append(one)
        if not self._samples:
            raise DataSetError(f"{name} has no samples.{f' {self.problems[0]}' if self.problems else ''}")
        self.skipped: Mapping[ProblemKind, int] = Counter(one.kind for one in self.problems)
        self._splits = list(split_by_fractions(len(self._samples), fractions, seed))
        fingerprint = Fingerprint(["all"], dict(fractions), seed)
        for sample in self._samples:
            fingerprint.add(sample)
        self.fingerprint = fingerprint.hexdigest()

    def count(self, split: Split) -> int:
        """The number of samples of a split."""
        checked_split(split)
        return len(self._samples) if split == "all" else self._splits.count(split)

    def samples(self, split: Split) -> Iterator[Sample]:
        """The samples of a split, in order."""
        checked_split(split)
        pairs = zip(self._samples, self._splits, strict=True)
        yield from (sample for sample, one in pairs if split in ("all", one))


def _without_duplicates(found: Iterable[Sample | Problem]) -> Iterator[Sample | Problem]:
    seen, samples = SeenSamples(), list[Sample]()
    for one in found:
        if isinstance(one, Problem):
            yield one
        elif (first := seen.add(one, Place(0, len(samples)))) is not None:
            yield Problem(one.id, 0, "duplicate", f"{samples[first.line].id} is the same sample.")
        else:
            samples.append(one)
            yield one


def samples_of_cases(folder: Path) -> Iterator[Sample | Problem]:
    """The samples of a folder of cases, and what is none.

    Raises:
        DataSetError: The folder cannot be read, or a file in it lies elsewhere.
    """
    root = folder.resolve()
    for path in folder.glob("*.json"):
        if not path.resolve().is_relative_to(root):
            raise DataSetError(f"{path.name} is a link out of {folder.name!r}. Replace it by the file itself.")
    try:
        found = read_cases(folder)
    except CaseError as error:
        raise DataSetError(str(error)) from None
    yield from (_sample_of_case(stored.case, stored.path.name) for stored in found.cases)
    yield from (Problem(folder.name, 0, "malformed", str(error)) for error in found.problems)


def _sample_of_case(case: Case, file: str) -> Sample | Problem:
    if len(case.messages) != 1:
        return Problem(file, 0, "malformed", f"the case {case.name!r} has {len(case.messages)} messages, a sample has one.")
    given = split_message(case.messages[0])
    expected = next((found for one in case.expect if (found := _truth(one)) is not None), None)
    truth, labels = expected or (given.ground_truth, dict[str, str | float]())
    return Sample(id=case.name, question=given.query, truth=truth, labels=labels)


def _truth(one: Expectation) -> tuple[str, dict[str, str | float]] | None:
    """What an expectation of the answer asks for, and the labels by which it is scored."""
    match one:
        case AnswerEquals(text=text) | AnswerContains(text=text):
            return text, {"expects": one.kind}
        case AnswerMatches(pattern=pattern):
            return pattern, {"expects": one.kind}
        case AnswerNumber(value=value, tolerance=tolerance):
            return repr(value), {"expects": one.kind, "tolerance": tolerance}
        case _:
            return None


def samples_of_folder(folder: Path) -> Iterator[Sample | Problem]:
    """The samples of a folder of exported sessions, and what is none; in the order of file names.

    Raises:
        DataSetError: The folder cannot be read, or a file in it lies elsewhere.
    """
    root = folder.resolve()
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix in _SESSION_FILES)
    except OSError as error:
        raise DataSetError(f"The folder {folder.name!r} cannot be read: {error.strerror}. Name the folder itself.") from None
    for path in paths:
        if not path.resolve().is_relative_to(root):
            raise DataSetError(f"{path.name} is a link out of {folder.name!r}. Replace it by the file itself.")
        try:
            with open_given(path) as file:
                content = file.read(MAX_SESSION_FILE_BYTES + 1)  # the reader refuses what is larger
            yield sample_of_session(read_shared(content), path.name)
        except OSError as error:
            yield Problem(path.name, 0, "malformed", f"it cannot be read: {error.strerror}.")
        except SessionFileError as error:
            yield Problem(path.name, 0, "malformed", str(error))


def sample_of_session(file: SessionFile, name: str) -> Sample | Problem:
    """The sample of a session."""
    events = (entry.event() for entry in file.entries if entry.kind == EVENT_KIND)
    asked = next((event for event in events if event.author == "user" and event.text), None)
    if asked is None:
        return Problem(name, 0, "empty", "nobody asks anything in this session.")
    question = split_message(asked.text)
    truth = _told(asked) or question.ground_truth
    return Sample(id=name, question=question.query, truth=truth, labels={"pipeline": file.pipeline})


def _told(event: Event) -> str | None:
    """The right answer that came along as state."""
    told = event.actions.state_delta.get(TRUTH_KEY)
    return str(told).strip() or None if isinstance(told, str | int | float) else None
