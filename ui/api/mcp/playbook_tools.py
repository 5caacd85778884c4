"""Tools for playbooks: list, read and search them, and propose changes, which wait until a person approves them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, ClassVar, Literal, cast

from mcp.server.mcpserver import Context, Elicit, Resolve
from mcp_types import ToolAnnotations
from pydantic import BaseModel, Field

from agents import PersonError
from agents.access import OWNER, Action, permits, require
from agents.ace import CURATION_KEY, NAME_KEY, REVIEW_CALL, Playbook, StoredBullet
from agents.runs import SIMULATED, PendingCall, RunManager
from agents.workspace import Workspace
from ui.api import followed_run
from ui.api.mcp.session_tools import MOST_ROWS, READS
from ui.web.threads import in_thread

PROPOSAL = "proposal"
"""The pipeline whose sessions hold what other programs propose."""
MOST_OPERATIONS = 20
PROPOSES = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)


class Operation(BaseModel):
    """A change of a playbook.

    Attributes:
        type: ADD a bullet to a section; UPDATE the text of one; REMOVE one; TAG one as helpful, harmful or neutral.
        section: Of an added bullet, e.g. "formulas".
        content: Its text: one short piece of knowledge.
        bullet_id: The bullet that is changed.
        tag: For TAG.
    """

    type: Literal["ADD", "UPDATE", "REMOVE", "TAG"]
    section: str = Field(default="", max_length=100)
    content: str = Field(default="", max_length=4_000)
    bullet_id: str = Field(default="", max_length=100)
    tag: Literal["", "helpful", "harmful", "neutral"] = ""


class Decision(BaseModel):
    """What the person at the client says.

    Attributes:
        decision: Whether the playbook is changed now.
    """

    decision: Literal["approve", "reject", "decide later in the playground"]


LATER = Decision(decision="decide later in the playground")
Operations = Annotated[list[Operation], Field(min_length=1, max_length=MOST_OPERATIONS)]


async def decide(playbook: str, operations: Operations, ctx: Context[Any]) -> Decision | Elicit[Decision]:
    """Asks at the client, if it can ask and who it acts for may approve."""
    told, server = ctx.client_capabilities, ctx.mcp_server
    if told is None or told.elicitation is None or not permits(cast("Any", server).workspace().user, Action.APPROVE):
        return LATER
    lines = [f"{one.type} {one.bullet_id or one.section} {one.content}".strip() for one in operations]
    return Elicit(f"Change the playbook {playbook!r}?\n" + "\n".join(lines)[:2_000], Decision)


class PlaybookTools:
    """The tools.

    Args:
        workspace: Returns the workspace of the user who asks.
    """

    OFFERED: ClassVar[Mapping[str, ToolAnnotations]] = {
        **dict.fromkeys(("list_playbooks", "read_playbook", "search_playbook"), READS),
        "propose_changes": PROPOSES,
    }

    def __init__(self, workspace: Callable[[], Workspace]) -> None:
        self._workspace = workspace

    async def list_playbooks(self) -> dict[str, Any]:
        """Lists the playbooks: name, revision, number of bullets."""

        def read() -> dict[str, Any]:
            infos = self._workspace().runs.playbooks("default").names()
            fields = ("name", "revision", "bullets", "frozen")
            return {"playbooks": [{field: getattr(info, field) for field in fields} for info in infos]}

        return await in_thread(read)

    async def read_playbook(self, playbook: str, section: str = "", after: int = 0, limit: int = 50) -> dict[str, Any]:
        """Reads the bullets of a playbook in order, of one section if it is named; `after` leaves out the first ones."""

        def read() -> dict[str, Any]:
            found = self._playbook(playbook)
            bullets = [one for one in found.active if section in ("", one.section)]
            shown = bullets[max(0, after) :][: max(1, min(limit, MOST_ROWS))]
            return {"revision": found.revision, "bullets": [bullet(one) for one in shown], "found": len(bullets)}

        return await in_thread(read)

    async def search_playbook(self, playbook: str, text: str, limit: int = 10) -> dict[str, Any]:
        """Finds the bullets of a playbook with the most words of a text."""

        def read() -> dict[str, Any]:
            words = set(text.casefold().split())
            found = self._playbook(playbook)
            scored = [(sum(word in one.content.casefold() for word in words), one) for one in found.active]
            best = sorted((pair for pair in scored if pair[0]), key=lambda pair: -pair[0])[: max(1, min(limit, MOST_ROWS))]
            return {"revision": found.revision, "bullets": [bullet(one) for _, one in best]}

        return await in_thread(read)

    async def propose_changes(
        self,
        playbook: str,
        operations: Operations,
        ctx: Context[Any],
        decision: Annotated[Decision, Resolve(decide)],
        reasoning: Annotated[str, Field(max_length=2_000)] = "",
    ) -> dict[str, Any]:
        """Proposes changes of a playbook. A person decides on each of them, on the page Playbook under Approve.

        Where the client can ask and its user may approve, they are asked at once.
        """
        client = await in_thread(self._client_of, ctx)
        await in_thread(self._playbook, playbook)
        given = [one.model_dump(exclude_defaults=True) | {"type": one.type} for one in operations]
        said = f"Proposed by “{client}”" + (f": {reasoning}" if reasoning else ".")
        title = f"“{client}” proposes: {operations[0].content or operations[0].bullet_id}"
        state = {NAME_KEY: playbook, CURATION_KEY: {"reasoning": said, "operations": given}}
        manager = await in_thread(lambda: self._workspace().runs.as_user(OWNER))
        run = await followed_run.start(manager, PROPOSAL, title[:200], state=state, model=SIMULATED)
        end = await followed_run.ended(manager, run)
        call = next((one for one in end.waiting if one.tool == REVIEW_CALL), None)
        if call is None:
            raise PersonError(f"No operation can be used. {end.record.error_message or await self._why(manager, run)}")
        return await self._settled(manager, call, decision)

    async def _settled(self, manager: RunManager, call: PendingCall, decision: Decision) -> dict[str, Any]:
        place = {"pipeline": call.pipeline, "session": call.session_id}
        refused = call.args.get("rejected") or []
        if decision.decision == LATER.decision:
            return {"status": "waits for a person's approval", **place, "refused": refused}
        verdict = "approve" if decision.decision == "approve" else "reject"
        verdicts = [{"verdict": verdict} for _ in call.args.get("operations") or ()]
        await followed_run.ended(manager, await followed_run.answer(manager, call, {"decisions": verdicts}))
        return {"status": "approved" if verdict == "approve" else "rejected", **place, "refused": refused}

    async def _why(self, manager: RunManager, run: Any) -> str:
        log = await in_thread(manager.sessions.log, run.pipeline, run.session_id)
        texts = [entry.event().text for entry in log if entry.kind == "event"]
        return next((text for text in reversed(texts) if text), "")

    def _client_of(self, ctx: Context[Any]) -> str:
        """Who proposes: the name of the API token, or what the program calls itself. Checks that it may."""
        user = self._workspace().user
        require(user, Action.PROPOSE)
        told = ctx.session.client_params
        return (user.via or (told.client_info.name if told is not None else "") or "an MCP client")[:60]

    def _playbook(self, name: str) -> Playbook:
        store = self._workspace().runs.playbooks("default")
        if name not in (names := [info.name for info in store.names()]):
            raise PersonError(f"There is no playbook {name[:100]!r}. There are: {', '.join(names[:MOST_ROWS]) or 'none'}.")
        return store.beside(name).playbook()


def bullet(found: StoredBullet) -> dict[str, Any]:
    """A bullet, with how often it helped and harmed."""
    return {
        "id": found.id,
        "section": found.section,
        "content": found.content,
        "helpful": found.helpful,
        "harmful": found.harmful,
    }
