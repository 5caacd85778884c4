from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, isfinite
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.lab import statistics
from agents.lab.statistics import Interval, auc, mcnemar, paired_bootstrap, wilson


@pytest.mark.parametrize(
    ("right", "of", "low", "high"),
    [  # Newcombe 1998, table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_published_intervals(right, of, low, high):
    found = wilson(right, of)
    assert found.low == pytest.approx(low, abs=5e-5)
    assert found.high == pytest.approx(high, abs=5e-5)


@given(st.integers(0, 10**12), st.integers(0, 10**12))
def test_a_wilson_interval_holds_its_share(right, wrong):
    found = wilson(right, right + wrong)
    assert 0 <= found.low < found.high <= 1
    assert right + wrong == 0 or right / (right + wrong) in found


def test_wilson_takes_shares_alone():
    for right, of in ((-1, 2), (3, 2), (0, -1)):
        with pytest.raises(ValueError, match="no share"):
            wilson(right, of)


def exact(only_a, only_b):
    """The definition, in exact arithmetic."""
    of, fewer = only_a + only_b, min(only_a, only_b)
    return float(min(Fraction(1), Fraction(2 * sum(comb(of, k) for k in range(fewer + 1)), 2**of)))


def test_mcnemar_is_its_definition():
    for only_a, only_b in [*product(range(25), repeat=2), (400, 330), (1, 999), (500, 501), (0, 1000)]:
        assert mcnemar(only_a, only_b) == pytest.approx(exact(only_a, only_b), rel=1e-9)


@pytest.mark.parametrize(
    ("only_a", "only_b", "p"), [(10, 20, 0.098737), (2, 12, 0.012939), (5, 15, 0.041389), (0, 6, 0.03125)]
)
def test_mcnemar_gives_tabulated_binomial_tests(only_a, only_b, p):
    assert mcnemar(only_a, only_b) == pytest.approx(p, abs=5e-7)


def test_mcnemar_is_exact_at_any_size():
    assert mcnemar(0, 6) == 0.03125
    assert mcnemar(0, 0) == 1
    assert mcnemar(10**9, 10**9) == 1
    assert mcnemar(10**6, 10**6 + 1) == pytest.approx(1, abs=1e-3)
    assert mcnemar(0, 10**9) == 0
    # the normal approximation with continuity correction, z = 2.999: it is close here
    assert mcnemar(50_000_000, 50_029_999) == pytest.approx(0.0027, rel=0.02)
    with pytest.raises(ValueError, match="no numbers"):
        mcnemar(-1, 3)


@given(st.integers(0, 10**7), st.integers(0, 10**7))
def test_mcnemar_is_a_probability_and_symmetric(only_a, only_b):
    p = mcnemar(only_a, only_b)
    assert isfinite(p)
    assert 0 <= p <= 1
    assert p == mcnemar(only_b, only_a)


def test_a_bootstrap_is_the_same_for_the_same_seed_alone():
    a, b = [1, 1, 0, 1, 0, 1, 1, 1, 0, 1] * 5, [0, 1, 0, 1, 0, 0, 1, 1, 0, 0] * 5
    assert paired_bootstrap(a, b, 1) == paired_bootstrap(a, b, 1)
    rng = Random(3)
    mine, other = [rng.random() for _ in range(50)], [rng.random() for _ in range(50)]
    assert paired_bootstrap(mine, other, 1) != paired_bootstrap(mine, other, 2)


def test_a_bootstrap_of_a_small_sample_is_near_all_its_resamples():
    """With four pairs all 256 resamples can be listed."""
    a, b = [1.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 0.0]
    differences = [x - y for x, y in zip(a, b, strict=True)]
    means = sorted(sum(drawn) / 4 for drawn in product(differences, repeat=4))
    assert paired_bootstrap(a, b, 7) == Interval(means[int(0.025 * 255)], means[int(0.975 * 255) + 1])


def test_a_bootstrap_covers_the_true_difference_about_as_often_as_it_says():
    rng = Random(11)
    hits = 0
    for seed in range(200):
        a = [rng.random() < 0.7 for _ in range(60)]
        b = [rng.random() < 0.5 for _ in range(60)]
        hits += 0.2 in paired_bootstrap(a, b, seed)
    assert 180 <= hits <= 199


def test_a_bootstrap_bounds_its_work(monkeypatch):
    monkeypatch.setattr(statistics, "MOST_DRAWS", 1000)
    drawn = []
    monkeypatch.setattr(statistics, "Random", lambda seed: Counting(seed, drawn))
    paired_bootstrap([1, 0] * 50, [0, 0] * 50, 1)
    assert drawn == [100] * statistics.LEAST_RESAMPLES


class Counting(Random):
    def __init__(self, seed, drawn):
        super().__init__(seed)
        self.drawn = drawn

    def __new__(cls, seed, drawn):
        return super().__new__(cls, seed)

    def choices(self, population, *, k):
        self.drawn.append(k)
        return super().choices(population, k=k)


def test_a_bootstrap_needs_pairs():
    for a, b in (([], []), ([1], [1, 0])):
        with pytest.raises(ValueError, match="no pairs"):
            paired_bootstrap(a, b, 1)
    assert paired_bootstrap([1, 1], [0, 0], 1) == Interval(1, 1)


scores = st.lists(st.integers(-5, 5), min_size=1, max_size=30)


@given(scores, scores)
def test_auc_is_the_share_of_pairs_in_order(positives, negatives):
    pairs = [(one > other) + (one == other) / 2 for one, other in product(positives, negatives)]
    assert auc(positives, negatives) == pytest.approx(sum(pairs) / len(pairs))


def test_auc_of_a_ranking():
    assert auc([3, 4], [1, 2]) == 1
    assert auc([1, 2], [3, 4]) == 0
    assert auc([1], [1]) == 0.5
    with pytest.raises(ValueError, match="each kind"):
        auc([], [1])


def test_the_deviate_belongs_to_the_confidence():
    from statistics import NormalDist

    assert NormalDist().inv_cdf(1 - (1 - statistics.CONFIDENCE) / 2) == pytest.approx(statistics._Z)
