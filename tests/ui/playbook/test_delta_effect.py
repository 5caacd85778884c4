"""What a delta did to each bullet."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agents.ace import Playbook
from agents.ace.bullet import TAGS
from agents.ace.operations import DeltaBatch
from agents.ace.resolution import resolve
from agents.ace.undo import difference
from ui.playbook.delta_effect import effect_of, summary

BEFORE = resolve(
    Playbook(),
    DeltaBatch.model_validate(
        {"operations": [{"type": "ADD", "section": f"s{n % 2}", "content": f"text {n}"} for n in range(4)]}
    ).operations,
    by="curator",
    at=1.0,
).playbook
IDS = [*(bullet.id for bullet in BEFORE.bullets), "s0-00005", "s1-00006", "nothing-00001"]

ids = st.sampled_from(IDS)
operations = st.one_of(
    st.builds(lambda c: {"type": "ADD", "section": "s0", "content": c}, st.sampled_from(["a", "b"])),
    st.builds(
        lambda i, c, corrects: {"type": "UPDATE", "bullet_id": i, "content": c, "corrects": corrects},
        ids,
        st.sampled_from(["text 1", "c"]),
        st.booleans(),
    ),
    st.builds(lambda i: {"type": "REMOVE", "bullet_id": i}, ids),
    st.builds(lambda i, t: {"type": "TAG", "bullet_id": i, "tag": t}, ids, st.sampled_from(TAGS)),
    st.builds(lambda a, b: {"type": "MERGE", "bullet_ids": [a, b], "content": "m"}, ids, ids),
    st.builds(lambda i, t: {"type": t, "bullet_id": i}, ids, st.sampled_from(["ARCHIVE", "UNARCHIVE"])),
)


def after(*given_operations: dict):
    batch = DeltaBatch.model_validate({"operations": given_operations})
    return resolve(BEFORE, batch.operations, by="curator", at=2.0)


@given(st.lists(operations, max_size=8))
def test_what_is_marked_is_what_is_different(asked):
    done = after(*asked)
    effect, found = effect_of(done.applied, done.playbook), difference(BEFORE, done.playbook)
    came = {id_ for id_, bullet in effect.bullets.items() if bullet.came}
    assert came == {bullet.id for bullet in found.added}
    assert {bullet.id for bullet in effect.gone} == {bullet.id for bullet in found.removed}
    for old, new in found.changed:
        bullet = effect.of(new.id)
        assert bullet is not None
        assert bullet.before == (old.content if old.content != new.content else None)
        assert {name: bullet.counted.get(name, 0) for name in TAGS} == {n: getattr(new, n) - getattr(old, n) for n in TAGS}
        if old.archived != new.archived:
            assert bullet.moved == ("archived" if new.archived else "restored")


def test_a_summary_counts_what_was_done_and_rejected():
    done = after(
        {"type": "ADD", "section": "s0", "content": "a"},
        {"type": "UPDATE", "bullet_id": IDS[0], "content": "b"},
        {"type": "TAG", "bullet_id": IDS[1], "tag": "helpful"},
        {"type": "REMOVE", "bullet_id": IDS[2]},
        {"type": "REMOVE", "bullet_id": "nothing-00001"},
    )
    said = summary(effect_of(done.applied, done.playbook), len(done.rejected))
    assert said == "1 bullet added, 1 text changed, 1 bullet tagged, 1 bullet removed; 1 operation rejected"
    assert summary(effect_of([], BEFORE), 0) == "no bullet changed"


def test_an_import_is_not_brought_back():
    restored = {"type": "RESTORE", "bullet_id": IDS[0], "bullet": {}}
    imported, renamed = {**restored, "imported": True}, {**restored, "was": "x-1"}
    said = [summary(effect_of([change], BEFORE), 0) for change in (imported, renamed, restored)]
    assert said == ["1 bullet imported", "1 bullet imported", "1 bullet brought back"]
