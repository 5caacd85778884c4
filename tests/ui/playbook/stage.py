"""The Playbook page without a browser, and playbooks to show on it."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from agents.ace import DeltaBatch, PlaybookStore
from agents.runs import RunManager
from tests.ui.stage import SCRIPT, opened


def playbook_page(**query: str | list[str]) -> AppTest:
    """The Playbook page."""
    at = AppTest.from_file(SCRIPT, default_timeout=30).run()
    return opened(at.switch_page("playbook.py"), query)


def commit(store: PlaybookStore, *operations: dict, by: str = "curator", reasoning: str = "Because.", cited=None):
    return store.commit(
        DeltaBatch.model_validate({"by": by, "reasoning": reasoning, "operations": operations, "cited": cited})
    )


def add(content: str, section: str = "units") -> dict:
    return {"type": "ADD", "section": section, "content": content}


def filled(manager: RunManager, name: str = "finance") -> PlaybookStore:
    """Three revisions: two bullets; one text changed, one tagged; one removed, one new, one rejected."""
    store = manager.playbooks(name)
    commit(store, add("Divide assets by liabilities."), add("Write two decimals.", "house rules"), add("Round at the end."))
    commit(
        store,
        {"type": "UPDATE", "bullet_id": "units-00001", "content": "Divide current assets by current liabilities."},
        {"type": "TAG", "bullet_id": "hr-00002", "tag": "helpful"},
        by="reflector",
        cited=["hr-00002"],
    )
    commit(
        store,
        {"type": "REMOVE", "bullet_id": "units-00003"},
        add("Check the sign."),
        {"type": "TAG", "bullet_id": "gone-00009", "tag": "helpful"},
        reasoning="It was of no use.",
    )
    return store


def html(at: AppTest) -> str:
    """All HTML on the page."""
    return "\n".join(element.proto.body for element in at.get("html"))


def rows(at: AppTest) -> list[str]:
    """Ids of the bullets in the list, in order."""
    return [button.label.replace("\\", "") for button in at.button if (button.key or "").startswith("open_")]


def notice(at: AppTest) -> str:
    """What the page says was done."""
    return next((m.value.replace("\\", "") for m in at.markdown if m.value.startswith(":green[✓]")), "")
