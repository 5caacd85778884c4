"""The charts' specifications."""

from __future__ import annotations

from agents.playbook import GrowthPoint
from tests.ui.playbook.stage import filled, playbook_page
from tests.ui.stage import said, sound
from ui.playbook.growth import MOST_POINTS, specification, thinned

POINTS = [GrowthPoint(n, 0.0, n, 2 * n, n // 2, 10 * n) for n in range(5000)]


def test_a_long_history_is_thinned_and_keeps_both_ends():
    drawn = thinned(POINTS)
    assert len(drawn) == MOST_POINTS
    assert drawn[0] is POINTS[0]
    assert drawn[-1] is POINTS[-1]
    assert [point.revision for point in drawn] == sorted({point.revision for point in drawn})
    assert thinned(POINTS[:7]) == POINTS[:7]


def test_lines_differ_in_more_than_colour_and_the_revision_is_marked():
    lines, rule = specification(POINTS[:3], ("helpful", "harmful"), 2)["layer"]
    assert lines["data"]["values"][-1] == {"revision": 2, "what": "harmful", "count": 1}
    assert len({tuple(dash) for dash in lines["encoding"]["strokeDash"]["scale"]["range"]}) == 2
    assert rule["data"]["values"] == [{"revision": 2}]


def test_the_page_has_three_charts_and_says_what_they_show(manager):
    filled(manager)
    at = sound(playbook_page(tab="growth"))
    charts = at.get("vega_lite_chart") or at.get("arrow_vega_lite_chart")
    assert [chart.proto.alt for chart in charts] == [
        "Bullets over revisions; 3 at revision 3",
        "Verified tags over revisions; 1 helpful, 0 harmful",
        f"Tokens over revisions; {manager.playbooks('finance').playbook().tokens} at revision 3",
    ]


def test_an_empty_playbook_says_that_nothing_has_grown(manager):
    manager.playbooks("default").create("new")
    assert "Nothing has grown yet" in said(sound(playbook_page(tab="growth")))
