"""Every error this project raises on purpose, named by who must act.

    PlaygroundError
    ├── PersonError             the user can fix it
    │   ├── PipelineNotFoundError
    │   ├── ModelNotFoundError
    │   ├── NotPermittedError       the user's role has no right to do it
    │   ├── SessionNotFoundError
    │   ├── SessionExistsError
    │   ├── InvocationNotFoundError
    │   ├── RunInProgressError
    │   ├── LimitReachedError       a limit of the user or of all users, until what is used is free again
    │   ├── RunEndedError           told to the agents of a run that was stopped, or taken over, while they did not respond
    │   ├── MessageError            empty, or too long
    │   ├── StateInputError         a start value that cannot be read
    │   ├── FaultError              a fault to inject that cannot be read
    │   ├── ForkError               a session cannot be cut there, or a change does not fit
    │   ├── ClassError              not possible in a class, or not any more
    │   ├── SessionFileError        a file that holds no session, or one that cannot be read
    │   ├── CaseError               a case that cannot be read, written or run
    │   ├── LessonError             a lesson that cannot be read, or a step that cannot be done
    │   ├── LabError                a lab run that cannot be described, begun, resumed or read
    │   ├── AnswerError             an answer to a call that waits for none
    │   ├── PlaybookNotFoundError
    │   ├── PlaybookExistsError
    │   ├── PlaybookFormatError     a text that is no playbook
    │   ├── PlaybookFrozenError     changed though it is read-only
    │   ├── AccountError            an account, an invitation or a users' file that cannot be made, used or read
    │   ├── TokenError              an API token that cannot be made
    │   ├── LinkError               a link that cannot be made, or that opens nothing any more
    │   ├── ConnectionInputError    a key or an address of a server that cannot be one
    │   ├── ModelFileError          a model file that cannot be fetched or named
    │   ├── TelemetryError          traces that cannot be sent: no extra, no collector
    │   ├── DataSetError            a data set that cannot be read, or one that was changed while it was used
    │   ├── ScorerError             a scorer that cannot be made, or one that cannot score an answer
    │   ├── TeamError               a team's files that cannot be read, changed or stored
    │   │   └── TeamChangedError        somebody else has saved the team meanwhile
    │   ├── DatabaseError           locked, read-only, from a newer version, not a database
    │   │   ├── DatabaseLostError       moved, deleted, replaced or emptied while it was in use
    │   │   ├── DatabaseReadOnlyError   can be read, not written
    │   │   └── DatabaseDamagedError
    │   └── PortTakenError
    ├── AuthorError             the author of an agent, tool or pipeline can fix it
    │   ├── MissingStateKeyError    also a KeyError
    │   ├── StateValueError         also a TypeError
    │   ├── RunLimitExceededError   too many events, bytes or seconds
    │   │   └── LlmCallsLimitExceededError
    │   ├── OutputSchemaError
    │   ├── RoutingError            a router named nothing, or something unknown
    │   ├── ArtifactError           also a ValueError
    │   ├── MissingArtifactError    also a KeyError
    │   ├── NoArtifactServiceError  also a ValueError
    │   ├── ToolError
    │   ├── NoMemoryServiceError    also a ValueError
    │   ├── PluginError             also a RuntimeError
    │   ├── WorkflowConfigurationError  also a ValueError; a node or an edge that cannot be one
    │   ├── GraphValidationError    also a ValueError; edges that are no graph that can be run
    │   ├── WorkflowDataError       also a ValueError; a value that a node cannot take or give
    │   ├── StateSchemaError        also a TypeError; a state key or value that a node's schema does not have
    │   ├── NodeTimeoutError        a node that took longer than its `timeout`
    │   ├── DynamicNodeFailError    what a node's code sees if a node that it runs failed
    │   ├── ScriptError             a scripted model that was used otherwise than written
    │   └── PipelineLoadError
    └── ProviderError           a model's provider failed, or refused
        ├── ApiKeyError
        ├── ModelTimeoutError
        ├── InjectedFaultError      not a real failure: the user injected it
        └── EmptyResponseError

A message says what happened, why, and what to do. Secrets never go into one.
"""

from __future__ import annotations

from collections.abc import Iterable


class PlaygroundError(Exception):
    """Base of every error raised on purpose by this project."""

    code: str = "PLAYGROUND_ERROR"

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        if "code" not in cls.__dict__:
            name = cls.__name__.removesuffix("Error")
            cls.code = "".join("_" + c if c.isupper() else c for c in name).strip("_").upper()

    def __str__(self) -> str:
        """The message as written: subclasses of `KeyError` would show it quoted."""
        return str(self.args[0]) if self.args else type(self).__name__


class PersonError(PlaygroundError):
    """The user can fix this."""


class NotPermittedError(PersonError):
    """The user's role does not permit it; see `agents.access.RIGHTS`."""


class PipelineNotFoundError(PersonError):
    """No pipeline has that name."""


class ModelNotFoundError(PersonError):
    """No registered provider has a model of that name."""


class SessionNotFoundError(PersonError):
    """No session has that id in that app, for that user."""


class SessionExistsError(PersonError):
    """A session with that id exists already."""


class InvocationNotFoundError(PersonError):
    """The session has no invocation of that id."""


class RunInProgressError(PersonError):
    """A session runs one invocation at a time, across processes too."""


class LimitReachedError(PersonError):
    """A limit of the user, or of all users together, is reached; see `agents.access.Limits`.

    Args:
        message: Which limit, how much is used, and when it is free again.
        limit: The limit's name, e.g. "tokens".
        used: How much is used, in the limit's unit.
        most: The limit.
        retry_after: Seconds until some of it is free again; None where that depends on what users do.
    """

    def __init__(self, message: str, *, limit: str, used: float, most: float, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.limit, self.used, self.most, self.retry_after = limit, used, most, retry_after


class RunEndedError(PersonError):
    """The run was stopped, or taken over by another process, while it did not respond: nothing more of it is stored."""


class MessageError(PersonError):
    """A message that cannot be run: empty, or longer than the limit."""


class StateInputError(PersonError):
    """A start value for state that cannot be read, e.g. not JSON."""


class FaultError(PersonError):
    """A fault to inject that cannot be read."""


class ClassError(PersonError):
    """Something that is not possible in a class, or not any more."""


class ForkError(PersonError):
    """A session cannot be forked there, or not with that change."""


class SessionFileError(PersonError):
    """A file with a session cannot be read: another format, a newer version, cut off, or not as it was exported."""


class CaseError(PersonError):
    """A case that cannot be read, written or run, or a session that cannot be kept as one."""


class LessonError(PersonError):
    """A lesson that cannot be read, or a step of it that cannot be done."""


class LabError(PersonError):
    """A lab run that cannot be described, begun, resumed or read."""


class AnswerError(PersonError):
    """An answer to a call that is not waiting for one: unknown, answered already, or of a run that is over."""


class PlaybookNotFoundError(PersonError):
    """No playbook has that name, or it has no such revision or bullet."""


class PlaybookExistsError(PersonError):
    """A playbook of that name exists already."""


class PlaybookFormatError(PersonError):
    """A text cannot be read as a playbook."""


class PlaybookFrozenError(PersonError):
    """A change of a frozen playbook."""


class AccountError(PersonError):
    """An account, an invitation or a users' file cannot be made, used or read."""


class TokenError(PersonError):
    """An API token cannot be made so."""


class LinkError(PersonError):
    """A link that shares something cannot be made so, or opens nothing: it is unknown, revoked or over."""


class ConnectionInputError(PersonError):
    """Not a valid key, or not a valid server address."""


class ModelFileError(PersonError):
    """A model file that cannot be fetched, or a name of no model file."""


class TelemetryError(PersonError):
    """Traces cannot be sent: the extra is missing, the address is none, or the collector does not take them."""


class DataSetError(PersonError):
    """A data set cannot be read, or was changed while it was used."""


class ScorerError(PersonError):
    """A scorer cannot be made, or cannot score an answer."""


class TeamError(PersonError):
    """A team's files cannot be read, changed or stored."""


class TeamChangedError(TeamError):
    """A team has a newer revision than the one that was changed."""


class DatabaseError(PersonError):
    """The session database cannot be used as it is."""


class DatabaseLostError(DatabaseError):
    """The session database is not at its path any more, or is not the file that was there."""


class DatabaseReadOnlyError(DatabaseError):
    """The session database can be read, not written."""


class DatabaseDamagedError(DatabaseError):
    """The session database does not hold what was written to it."""


class PortTakenError(PersonError):
    """Another program listens on that port."""


class AuthorError(PlaygroundError):
    """The author of an agent, tool or pipeline can fix this."""


class MissingStateKeyError(AuthorError, KeyError):
    """An instruction names a state key that is not set.

    Args:
        message: What is missing and what to do.
        key: The state key.
        agent: The agent's name.
    """

    def __init__(self, message: str, *, key: str = "", agent: str = "") -> None:
        super().__init__(message)
        self.key = key
        self.agent = agent


class StateValueError(AuthorError, TypeError):
    """A state value that JSON cannot hold."""


class RunLimitExceededError(AuthorError):
    """A run reached a limit of `RunConfig`: events, bytes or seconds."""


class LlmCallsLimitExceededError(RunLimitExceededError):
    """An invocation needs more model calls than `RunConfig.max_llm_calls` allows."""


class OutputSchemaError(AuthorError):
    """A model's answer did not fit `output_schema`, even after a retry with the reason."""


class RoutingError(AuthorError):
    """A router returned no key, or a key that it was not offered."""


class ArtifactError(AuthorError, ValueError):
    """An artifact that cannot be saved: its name, size or kind."""


class MissingArtifactError(AuthorError, KeyError):
    """An instruction names an artifact that is not there."""


class NoArtifactServiceError(AuthorError, ValueError):
    """A file is to be saved or loaded in a run without an artifact service."""


class ToolError(AuthorError):
    """A tool that cannot be declared, or a call that `raise_on_error` turned into an error."""


class NoMemoryServiceError(AuthorError, ValueError):
    """The runner has no memory service, and an agent, tool or callback needs one."""


class PluginError(AuthorError, RuntimeError):
    """A plugin's callback raised; the cause is what it raised."""


class WorkflowConfigurationError(AuthorError, ValueError):
    """A node, an edge or a graph that was declared in a way that cannot be used."""


class GraphValidationError(AuthorError, ValueError):
    """Edges that are no graph that can be run."""


class WorkflowDataError(AuthorError, ValueError):
    """A value that a node of a graph cannot take or give."""


class StateSchemaError(AuthorError, TypeError):
    """A state key that a node's schema does not declare, or a value of another type."""


class NodeTimeoutError(AuthorError):
    """A node of a graph took longer than its `timeout`.

    Args:
        node_name: The node.
        timeout: Its limit, in seconds.
    """

    def __init__(self, *, node_name: str, timeout: float | None) -> None:
        super().__init__(f"Node {node_name!r} timed out after {timeout} seconds.")
        self.node_name = node_name
        self.timeout = timeout


class DynamicNodeFailError(AuthorError):
    """A node that another node's code runs has failed.

    Args:
        message: What happened.
        error: The node's error.
        path: The path of its run.
    """

    def __init__(self, message: str, *, error: Exception, path: str) -> None:
        super().__init__(message)
        self.error = error
        self.error_node_path = path


class ScriptError(AuthorError):
    """A scripted model was called more or less often than its script says."""


class PipelineLoadError(AuthorError):
    """A pipeline package cannot be loaded; the message carries its traceback."""


class ProviderError(PlaygroundError):
    """A model's provider failed or refused; `code` is the provider's own where it has one.

    Args:
        message: What happened and what to do, without secrets.
        code: The provider's error code, e.g. "503" or "RESOURCE_EXHAUSTED".
        retryable: Whether the same request may succeed later.
        retry_after: Seconds that the provider asks to wait before that; None where it does not say.
    """

    def __init__(
        self, message: str, *, code: str | None = None, retryable: bool = False, retry_after: float | None = None
    ) -> None:
        super().__init__(message)
        if code is not None:
            self.code = code
        self.retryable = retryable
        self.retry_after = retry_after


class ApiKeyError(ProviderError):
    """A provider's key is missing or not accepted."""


class ModelTimeoutError(ProviderError):
    """A model did not answer in the time it was given."""


class EmptyResponseError(ProviderError):
    """A model's answer was empty."""


class InjectedFaultError(ProviderError):
    """A failure that the user injected, to see how the agents handle it."""


def known(names: Iterable[str]) -> str:
    """`names` as the readable tail of a "no such thing" message: "a, b, c" or "none"."""
    return ", ".join(names) or "none"
