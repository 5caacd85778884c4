from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agents.pipelines.status_poller.job import MOST_LOOKS, REASONS, look_at

ENDED = ("completed", "failed")


def looks(job: str, seed: str = "1"):
    seen = [look_at(job, look=number, seed=seed) for number in range(1, MOST_LOOKS + 1)]
    end = next((number for number, look in enumerate(seen, 1) if look.status in ENDED), None)
    return seen, end


@given(st.text(max_size=60), st.text(max_size=5))
def test_a_job_goes_forward_and_ends_once(job, seed):
    seen, end = looks(job, seed)

    assert end is not None
    progress = [look.progress for look in seen[:end]]
    assert progress == sorted(progress)
    assert all(0 <= look.progress <= 100 for look in seen)
    assert {look.status for look in seen[end - 1 :]} == {seen[end - 1].status}, "what has ended stays so"
    assert [look.status for look in seen[:end]].count("queued") <= 1
    for look in seen:
        assert (look.progress == 100) == (look.status == "completed")
        assert (look.reason in REASONS) == (look.status == "failed")


def test_a_seed_makes_another_job_of_the_same_name():
    assert len({str(looks("nightly backup", str(seed))) for seed in range(10)}) > 5
    assert looks("Nightly backup ") == looks("nightly backup")


def test_jobs_end_in_both_ways_and_after_different_times():
    ends = [(seen[end - 1].status, end) for seen, end in (looks(f"job {number:x}") for number in range(200))]

    failed = [end for status, end in ends if status == "failed"]
    assert 0.1 < len(failed) / len(ends) < 0.35
    assert len(set(ends)) >= 6


def test_sizes_and_amounts_count():
    def mean(kind: str) -> float:
        ends = [looks(kind.format(letter), seed) for letter in "abcdef" for seed in "123456"]
        done = [end for seen, end in ends if seen[end - 1].status == "completed"]
        return sum(done) / len(done)

    tiny, plain, large, huge = (mean(f"{size} sync {{}}") for size in ("a tiny", "one", "a large", "a huge"))
    assert tiny < plain < large < huge
    assert mean("resize 5 photos {}") < mean("resize 50000 photos {}")
