"""What hypothesis makes deltas of, and a playbook to apply them to."""

from __future__ import annotations

from hypothesis import strategies as st

from agents.ace import DeltaBatch, Playbook, PlaybookStore
from agents.ace.bullet import StoredBullet
from agents.ace.operations import MAX_BULLET_LENGTH
from agents.ace.resolution import resolve
from agents.storage.playbooks.memory import InMemoryPlaybookRepository
from tests.agents.ace.bullets import texts

TAGS = ["helpful", "harmful", "neutral"]
GIVEN = [f"{slug}-{number:05d}" for slug, number in [("u", 1), ("u", 2), ("o", 3), ("u", 4), ("o", 5), ("ss", 6)]]
"""The ids of `start`."""

sections = st.sampled_from(["units", "UNITS", "others", "Some Section", "some_section", "", " ", "x" * 81]) | texts
contents = st.sampled_from(["a", "b", "A longer sentence, with 2 numbers.", "", "x" * (MAX_BULLET_LENGTH + 1)]) | texts
ids = st.sampled_from([*GIVEN, *GIVEN, "units-00007", "nobody-00001", ""])
operations = st.one_of(
    st.fixed_dictionaries({"type": st.just("ADD"), "section": sections, "content": contents}),
    st.fixed_dictionaries(
        {"type": st.just("UPDATE"), "bullet_id": ids, "content": contents}, optional={"corrects": st.just(value=True)}
    ),
    st.fixed_dictionaries({"type": st.just("REMOVE"), "bullet_id": ids}),
    st.fixed_dictionaries({"type": st.just("MERGE"), "bullet_ids": st.lists(ids, max_size=3), "content": contents}),
    st.fixed_dictionaries({"type": st.just("TAG"), "bullet_id": ids, "tag": st.sampled_from(TAGS)}),
    st.fixed_dictionaries({"type": st.sampled_from(["ARCHIVE", "UNARCHIVE"]), "bullet_id": ids}),
)
batches = st.lists(operations, max_size=6)
people = st.sampled_from(["curator", "reflector", "person"])


def start() -> Playbook:
    """Six bullets in three sections, of which one is archived."""
    names = {"u": "units", "o": "others", "ss": "Some Section"}
    return Playbook(
        StoredBullet(
            id_, names[id_.split("-")[0]], f"bullet {id_}", helpful=at, harmful=at % 2, neutral=at % 3, archived=at == 3
        )
        for at, id_ in enumerate(GIVEN)
    )


def do(playbook: Playbook, plain: list[dict], by: str = "curator"):
    return resolve(playbook, DeltaBatch(operations=plain).operations, by=by, at=5.0)


def filled() -> PlaybookStore:
    """A store in memory that holds `start` at revision 1."""
    store = PlaybookStore(InMemoryPlaybookRepository())
    store.import_playbook(start())
    return store
