"""How the data pipeline is presented."""

from __future__ import annotations

from pathlib import Path

from agents.pipeline import Break, Card, Control, Highlight
from agents.pipelines.data_pipeline.simulation import SIMULATION
from agents.runtime.fault import Fault

ORDERS = """\
item, quantity, price
tea, 3, 4.50
coffee, 2, 7.20
tea, two, 4.50
sugar, 5, 1.10
coffee, 1
tea, 4, 4.50"""

card = Card(
    title="Data pipeline",
    pattern="Sequential pipeline",
    summary="A table is validated row by row, its totals are computed by tools, and the result is reported.",
    lesson=Path(__file__).with_name("lesson.md").read_text(encoding="utf-8"),
    samples=(
        ORDERS,
        "Sum the sales by region:\nregion; month; sales\nnorth; May; 1.200,50\nsouth; May; 980,00\nnorth; June; -75,25",
        "3 apples at 0.40, 2 pears at 0.60, 1 melon at 2.90",
        "name, city\nAda, London\nEmmy, Göttingen\nSofia, Stockholm\nGrace,",
    ),
    ends_when="The reporter has written its report.",
    message_key="data",
    simulation=SIMULATION,
    controls=(
        Control(
            key="strict",
            label="All or nothing",
            kind="switch",
            default=False,
            help="With a single bad row, nothing is computed; the report says what to mend.",
        ),
    ),
    breaks=(
        Break(
            title="One bad row stops everything",
            look_for="The validator finds two bad rows and passes none on. The processor is skipped by its callback, "
            "without a model call, and the reporter says what to mend. Half of an invoice is worse than none.",
            message=ORDERS,
            settings={"strict": True},
        ),
        Break(
            title="The step in the middle fails",
            look_for="The run ends there, and the reporter never begins. What the validator made is stored: the rows and "
            "the errors are in State, and it is clear which step has to be mended.",
            faults=(Fault(kind="fail_before", target="TableProcessor"),),
        ),
        Break(
            title="The validator answers without its tool",
            look_for="It says something, but no table was checked, so there are no rows. The next step trusts the state and "
            "not the words: it is skipped, and nothing made up is computed with.",
            faults=(Fault(kind="malformed_json", target="TableValidator"),),
        ),
    ),
    highlights=(
        Highlight(text="    sub_agents=[validator, processor, reporter],", note="The order is code; no model decides it."),
        Highlight(text='    output_key="validation",', note="A step's answer goes into state under this key …"),
        Highlight(text="{validation}", note="… and a later step's instruction takes it from there."),
        Highlight(
            text="    before_agent_callback=skip_without_rows,",
            note="A guard between two steps: code, not a model, says stop.",
        ),
    ),
)
