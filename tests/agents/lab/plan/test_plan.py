"""The plan of an arm, the order of samples, and the room that limits leave."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from itertools import pairwise

import pytest

from agents.errors import LabError
from agents.lab import LabDescription, Limits, Sample, Standing
from agents.lab.plan.plan import plan
from agents.lab.plan.stream import WINDOW, Stream
from agents.lab.trials.trial import room_in


class Counted:
    """Samples that are made as they are read."""

    name = fingerprint = "counted"

    def __init__(self, size: int) -> None:
        self.size, self.read = size, 0

    def count(self, split: str) -> int:
        return self.size

    def samples(self, split: str) -> Iterator[Sample]:
        for place in range(self.size):
            self.read += 1
            yield Sample(id=f"{split}:{place}", question="?")


def ids(samples: list[Sample]) -> list[int]:
    return [int(sample.id.split(":")[1]) for sample in samples]


def test_the_plan_of_an_offline_arm_covers_each_epoch_and_ends_with_the_test():
    arms = '[[arms]]\nkind = "offline"\nepochs = 2\nvalidate_every = 4\nbatch = 3\n'
    description = LabDescription.from_toml(f'name = "x"\ndata = "d"\nworkers = 2\n{arms}')
    parts = plan(description, description.arms[0], lambda _: 10)
    train = [(part.start, part.stop, part.epoch) for part in parts if part.phase == "train"]
    assert train == [(0, 4, 1), (4, 8, 1), (8, 10, 1), (0, 4, 2), (4, 8, 2), (8, 10, 2)]
    assert [part.phase for part in parts] == ["train", "validation"] * 6 + ["test"]
    assert {(part.learns, part.batch, part.playbook) for part in parts} == {
        (True, 3, "newest"),
        (False, 2, "newest"),
        (False, 2, "best"),
    }


def test_the_order_of_a_seed_is_always_the_same_and_has_every_sample_once():
    for size in (1, 50, WINDOW + 500):
        orders = [ids(Stream(Counted(size), seed).take("train", 0, size)) for seed in (0, 1, 1, 2)]
        assert orders[0] == list(range(size))
        assert orders[1] == orders[2]
        assert all(sorted(order) == orders[0] for order in orders)
        assert size == 1 or orders[1] != orders[3]


@pytest.mark.parametrize("seed", [0, 5])
def test_a_stream_can_be_taken_from_any_place(seed: int):
    whole = Stream(Counted(40), seed).take("train", 0, 40)
    stream = Stream(Counted(40), seed)
    for place, count in ((0, 3), (3, 4), (10, 1), (5, 5), (39, 1)):
        assert stream.take("train", place, count) == whole[place : place + count]
        assert stream.before == (whole[place - 1] if place else None)


def test_samples_are_read_once_when_they_are_taken_in_order():
    data = Counted(100)
    stream = Stream(data, 0)
    for place in range(0, 100, 10):
        stream.take("train", place, 10)
    assert data.read == 100


def test_data_that_ends_early_is_an_error():
    with pytest.raises(LabError, match="ended before sample 12 of 'train'"):
        Stream(Counted(10), 0).take("train", 8, 4)


@pytest.mark.parametrize("seed", [0, 1])
def test_a_hundred_thousand_samples_take_no_more_memory_than_ten_thousand(seed: int):
    def peak(size: int) -> int:
        stream = Stream(Counted(size), seed)
        tracemalloc.start()
        for place in range(0, size, 100):
            stream.take("train", place, 100)
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    assert peak(100_000) < 1.5 * peak(10_000)


@pytest.mark.parametrize(
    ("limits", "room"),
    [
        (Limits(), 1_000_000),
        (Limits(calls=100), 10),
        (Limits(calls=100, tokens=1100), 1),
        (Limits(tokens=1000), 0),
        (Limits(tokens=900), 0),
        (Limits(dollars=0.9), 8),
    ],
)
def test_the_room_is_what_the_dearest_sample_so_far_leaves(limits: Limits, room: int):
    standing = Standing(key=1, arm="a", seed=0, calls=50, input=900, output=100, cost=0.1, most=(5, 100, 0.1))
    assert room_in(limits, standing)[0] == room


def test_before_the_first_sample_there_is_room_for_one():
    assert room_in(Limits(calls=1, tokens=1, dollars=0.001), Standing(key=1, arm="a", seed=0))[0] == 1


def test_the_shuffle_moves_samples_far():
    order = ids(Stream(Counted(200), 1).take("train", 0, 200))
    assert sum(abs(one - other) for one, other in pairwise(order)) / 199 > 30
