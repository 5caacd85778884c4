"""Whole lives of playbooks: whatever happens to one, all who look at it see the same, and no id is given twice."""

from __future__ import annotations

import tempfile
from itertools import takewhile
from pathlib import Path
from unittest.mock import patch

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, multiple, rule

from agents.ace import DeltaBatch, Playbook, PlaybookStore
from agents.ace.bullet import number_of, section_key
from agents.errors import PlaybookFormatError
from tests.agents.ace.bullets import unhurried
from tests.agents.ace.deltas import TAGS, contents, sections


def as_stored(content: str) -> str:
    """A bullet's text: one line without surrounding spaces; of several, the first keeps its indentation."""
    text = content.strip()
    if "\n" not in text:
        return text
    first = content[: content.index(text)].rsplit("\n", maxsplit=1)[-1]
    return "".join(takewhile(lambda letter: letter in " \t", reversed(first)))[::-1] + text


class Life(RuleBasedStateMachine):
    """A playbook in a file, changed through two stores that are opened anew at times, beside a plain model of it.

    Snapshots are taken often, so that some revisions are folded from one.
    """

    known = Bundle("known")

    @initialize()
    def begin(self):
        self.often = patch("agents.ace.store.ledger.SNAPSHOT_EVERY", 3)
        self.often.start()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "p.db"
        self.stores = [PlaybookStore(self.path), PlaybookStore(self.path)]
        self.stores[0].create("default")
        self.model: dict[str, list] = {}  # id → content, helpful, harmful, neutral, archived
        self.seen: set[str] = set()
        self.past = [Playbook(name="default").to_json()]

    def teardown(self):
        if hasattr(self, "folder"):
            for store in self.stores:
                store.close()
            self.folder.cleanup()
            self.often.stop()

    def _new(self, id_: str) -> str:
        assert id_ not in self.seen
        self.seen.add(id_)
        return id_

    def _commit(self, at: int, *plain: dict, **fields):
        commit = self.stores[at].commit(DeltaBatch(operations=list(plain), **fields))
        assert len([change for change in commit.applied if change["type"] != "CITE"]) + len(commit.rejected) == len(plain)
        self._note()
        return commit

    def _note(self):
        """Keeps the newest revision, if it is a new one, as another store sees it."""
        with PlaybookStore(self.path) as fresh:
            playbook = fresh.playbook()
        if playbook.revision == len(self.past):
            self.past.append(playbook.to_json())
        assert playbook.revision == len(self.past) - 1

    @rule(target=known, at=st.integers(0, 1), section=sections, content=contents)
    def add(self, at, section, content):
        commit = self._commit(at, {"type": "ADD", "section": section, "content": content})
        if commit.rejected:
            return multiple()
        id_ = self._new(commit.applied[0]["bullet_id"])
        self.model[id_] = [as_stored(content), 0, 0, 0, False]
        return id_

    @rule(at=st.integers(0, 1), id_=known, content=contents)
    def update(self, at, id_, content):
        if self._commit(at, {"type": "UPDATE", "bullet_id": id_, "content": content}).applied:
            self.model[id_][0] = as_stored(content)

    @rule(at=st.integers(0, 1), id_=known | consumes(known))
    def remove(self, at, id_):
        commit = self._commit(at, {"type": "REMOVE", "bullet_id": id_})
        assert bool(commit.applied) == (self.model.pop(id_, None) is not None)

    @rule(at=st.integers(0, 1), id_=known, tag=st.sampled_from(TAGS))
    def tag(self, at, id_, tag):
        commit = self._commit(at, {"type": "TAG", "bullet_id": id_, "tag": tag}, cited=[id_, id_, "nobody-1"])
        assert bool(commit.applied[1:]) == (id_ in self.model)
        if id_ in self.model:
            self.model[id_][1 + TAGS.index(tag)] += 1

    @rule(at=st.integers(0, 1), id_=known, archived=st.booleans())
    def archive(self, at, id_, archived):
        if self._commit(at, {"type": "ARCHIVE" if archived else "UNARCHIVE", "bullet_id": id_}).applied:
            assert self.model[id_][4] != archived
            self.model[id_][4] = archived

    @rule(target=known, at=st.integers(0, 1), merged=st.lists(known, max_size=3), content=contents)
    def merge(self, at, merged, content):
        commit = self._commit(at, {"type": "MERGE", "bullet_ids": merged, "content": content})
        if commit.rejected:
            return multiple()
        gone = [self.model.pop(id_) for id_ in dict.fromkeys(merged)]
        id_ = self._new(commit.applied[0]["bullet_id"])
        self.model[id_] = [
            as_stored(content),
            *(sum(one[at] for one in gone) for at in (1, 2, 3)),
            all(one[4] for one in gone),
        ]
        return id_

    @rule(target=known, at=st.integers(0, 1), back=st.integers(0, 30), kind=st.sampled_from(["text", "json", "dict"]))
    def import_an_older_revision(self, at, back, kind):
        older = Playbook.from_json(self.past[-1 - back % len(self.past)])
        read = {
            "text": lambda: Playbook.from_text(older.to_text()),
            "json": lambda: Playbook.from_json(older.to_json()),
            "dict": lambda: Playbook.from_dict(older.to_dict()),
        }[kind]()
        assert read == older
        commit = self.stores[at].import_playbook(read)
        self._note()
        for change, bullet in zip(commit.applied, read.bullets, strict=True):
            self.model[self._new(change["bullet_id"])] = [bullet.content, *bullet.said[3:]]
        return multiple(*(change["bullet_id"] for change in commit.applied))

    @rule(
        target=known,
        at=st.integers(0, 1),
        foreign=st.lists(
            st.sampled_from(["u-00001", "a-7", "kpt_3", "x-99", "y-99", "z-999999999", "u-1000000000"]), unique=True
        ),
    )
    def import_from_elsewhere(self, at, foreign):
        text = "\n".join(f"[{id_}] helpful=2 harmful=1 :: {id_}" for id_ in foreign)
        try:
            read = Playbook.read(text)
        except PlaybookFormatError:
            assert not foreign
            return multiple()
        commit = self.stores[at].import_playbook(read)
        self._note()
        for change, id_ in zip(commit.applied, foreign, strict=True):
            self.model[self._new(change["bullet_id"])] = [id_, 2, 1, 0, False]
            assert change["bullet_id"] == id_ or change["was"] == id_
        return multiple(*(change["bullet_id"] for change in commit.applied))

    @rule(at=st.integers(0, 1), back=st.integers(0, 5))
    def undo(self, at, back):
        newest = len(self.past) - 1
        if newest:
            undone = self.stores[at].undo(max(1, newest - back))
            assert undone.revision in {newest, newest + 1}
            self._note()
            assert self.stores[at].playbook().revision == undone.revision
            if back == 0:
                assert undone.rejected == []
                assert self.stores[at].playbook() == Playbook.from_json(self.past[newest - 1])
            self._model_from(self.stores[at].playbook())

    @rule(at=st.integers(0, 1), back=st.integers(0, 30))
    def roll_back(self, at, back):
        revision = max(0, len(self.past) - 1 - back)
        wanted = Playbook.from_json(self.past[revision])
        self.stores[at].roll_back(revision)
        self._note()
        assert self.stores[at].playbook() == wanted
        self._model_from(wanted)

    def _model_from(self, playbook: Playbook):
        """What an undo brings back is not a new bullet: it must have been there."""
        assert {bullet.id for bullet in playbook.bullets} <= self.seen
        self.model = {bullet.id: [bullet.content, *bullet.said[3:]] for bullet in playbook.bullets}

    @rule(at=st.integers(0, 1))
    def open_anew(self, at):
        self.stores[at].close()
        self.stores[at] = PlaybookStore(self.path)

    @invariant()
    def both_stores_see_what_the_model_says(self):
        if not hasattr(self, "stores"):
            return
        for store in self.stores:
            playbook = store.playbook()
            assert {bullet.id: [bullet.content, *bullet.said[3:]] for bullet in playbook.bullets} == self.model
            assert playbook.to_json() == self.past[-1]
            assert all(min(bullet.said[3:6]) >= 0 for bullet in playbook.bullets)
            assert playbook.next_number > max((number_of(id_) for id_ in self.seen), default=0)
            assert len({bullet.place for bullet in playbook.bullets}) == len(playbook)
            assert (playbook.helpful, playbook.harmful) == tuple(
                sum(one[at] for one in self.model.values()) for at in (1, 2)
            )
            keys = [section_key(section) for section in playbook.sections]
            assert len(set(keys)) == len(keys)

    @invariant()
    def every_revision_is_still_what_it_was(self):
        if not hasattr(self, "stores"):
            return
        for revision in {0, len(self.past) // 2, len(self.past) - 1}:
            assert self.stores[0].at(revision).to_json() == self.past[revision]


Life.TestCase.settings = settings(unhurried, max_examples=40, stateful_step_count=25)
test_ids_are_never_given_twice_in_the_life_of_a_playbook = Life.TestCase
