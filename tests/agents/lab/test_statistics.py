from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.lab import statistics
from agents.lab.statistics import LEAST_DISCORDANT, auc, holm, paired_difference, wilson
from tests.agents.lab.coverage import simulate


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


def differences(only_a, only_b, of):
    return [[1]] * only_a + [[-1]] * only_b + [[0]] * (of - only_a - only_b)


def test_the_interval_is_the_published_one(monkeypatch):
    """Tango's interval in table II of Fagerland, Lydersen and Laake (Statistics in Medicine 33, 2014), uncorrected."""
    monkeypatch.setattr(statistics, "_CORRECTION", 0.0)
    found = paired_difference(differences(1, 7, 21)).interval
    assert found == pytest.approx((-0.517, -0.026), abs=5e-4)


@pytest.mark.parametrize(
    ("only_a", "only_b", "chi_squared", "p"),
    [(10, 20, 2.7, 0.1003), (5, 15, 4.05, 0.0442), (2, 12, 5.786, 0.0162), (0, 6, 4.167, 0.0412), (3, 3, 0, 1)],
)
def test_p_is_that_of_the_corrected_test_of_mcnemar(only_a, only_b, chi_squared, p):
    """Its statistic has the chi-squared distribution with one degree of freedom, as tables have it."""
    assert max(0, abs(only_a - only_b) - 1) ** 2 / (only_a + only_b) == pytest.approx(chi_squared, abs=5e-4)
    assert paired_difference(differences(only_a, only_b, 50)).p == pytest.approx(p, abs=5e-5)


@given(
    st.lists(st.lists(st.sampled_from([-1, 0, 1]), min_size=3, max_size=3), min_size=1, max_size=60),
    st.integers(0, 50),
)
def test_interval_and_p_say_the_same(some, even):
    found = paired_difference(some + [[0, 0, 0]] * even)
    assert -1 <= found.interval.low <= found.difference <= found.interval.high <= 1
    assert found.interval.low < found.interval.high
    assert (found.p < 0.05) == (not found.interval.low <= 0 <= found.interval.high) or found.p == pytest.approx(0.05)


@given(st.lists(st.sampled_from([-1, 0, 1]), min_size=1, max_size=60), st.integers(2, 6))
def test_a_question_that_comes_out_alike_with_every_seed_counts_once(once, seeds):
    again, single = paired_difference([[one] * seeds for one in once]), paired_difference([[one] for one in once])
    assert (again.difference, again.p, *again.interval) == pytest.approx((single.difference, single.p, *single.interval))
    assert again.discordant == single.discordant


@pytest.mark.parametrize("seeds", [1, 3, 5])
def test_fewer_than_six_questions_that_differ_show_nothing(seeds):
    fewest = [[1] * seeds] * (LEAST_DISCORDANT - 1)
    assert paired_difference(fewest + [[0] * seeds] * 30).p > 0.05
    assert paired_difference([*fewest, [1] * seeds]).p < 0.05


def test_questions_that_come_out_even_over_the_seeds_do_not_make_five_others_significant():
    found = paired_difference([[1] * 5] * (LEAST_DISCORDANT - 1) + [[1, 1, -1, -1, 0]] * 25)
    assert found.discordant == LEAST_DISCORDANT - 1
    assert found.p > 0.05
    assert found.interval.low < 0


@pytest.mark.parametrize("seeds", [1, 3, 5])
def test_intervals_cover_and_chance_is_not_taken_for_a_difference(seeds):
    found = simulate(30, seeds, 300)
    assert found.covered >= 0.93
    assert found.false_positives <= 0.05
    assert found.disagreements == 0
    assert found.covered_accuracy >= 0.91


def test_scores_between_right_and_wrong_are_compared():
    graded = paired_difference([[0.5], [0.25], [0.5], [-0.25]] * 20)
    assert graded.difference == 0.25
    assert graded.interval.low > 0


def test_a_comparison_needs_questions_with_answers():
    for nothing in ([], [[]], [[1], []]):
        with pytest.raises(ValueError, match="both arms have answered"):
            paired_difference(nothing)


def test_holm_corrects_for_the_number_of_comparisons():
    """The example of the procedure's description: the smallest is multiplied by all, the next one by one less."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.9]) == [1, 1]
    assert holm([]) == []


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
