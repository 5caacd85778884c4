"""The agents of the data pipeline: one validates, one has the numbers computed, one reports."""

from __future__ import annotations

from typing import Any

from google.genai import types

from agents import CallbackContext, LlmAgent, SequentialAgent, State, ToolContext
from agents.models.simulated.language.detect import LANGUAGE_NAMES, Language, answer_language, language_called
from agents.models.simulated.language.phrases import phrases_beside
from agents.pipelines.data_pipeline.currencies import is_currency
from agents.pipelines.data_pipeline.numbers import is_plain_number
from agents.pipelines.data_pipeline.table import read_table
from agents.pipelines.data_pipeline.totals import as_markdown, total_rows, with_product

VALIDATOR_INSTRUCTION = """\
You check a table before others work with it.

Call check_table, then say in one sentence how many rows can be used, and how many errors there are. Do not repeat the table
and do not mend it. Answer in the language that the tool names.
"""

PROCESSOR_INSTRUCTION = """\
You decide what is to be computed from a table. Tools compute it; do no sums yourself.

If there are a quantity and a price of one piece, first multiply them into a new column called amount, in the language of the
others. Then call total_by for the column of numbers that matters most, grouped by the text column with the fewest different
values; of grades, ages, temperatures and the like take the mean. A wish of the user comes first. Then say in one or two
sentences what came out; if there is a wish that you cannot read, say so.
Answer in {language}.

<columns>
{columns}
</columns>

<wish>
{wish}
</wish>
"""

REPORTER_INSTRUCTION = """\
You report what came out of a table to somebody who has a minute.

Begin with how many rows could be used, then what was found. Then the table of totals as it is, to the digit. Last, below the
line "Left out:", the errors, each as it is. Compute nothing.
Answer in {language}.

<validation>
{validation}
</validation>

<result>
{result}
</result>

<totals>
{totals}
</totals>

<errors>
{errors}
</errors>
"""


def check_table(tool_context: ToolContext) -> dict[str, Any]:
    """Reads the user's table and checks each row. Rows with an error are left out, all of them if the check is strict."""
    state = tool_context.state
    table = read_table(state["data"])
    state["rows"] = [] if state.get("strict") and table.problems else table.rows
    state["columns"] = "\n".join(
        f"- {c.name}: {c.kind}, {c.distinct} different{c.currency and f', in {c.currency}'}" for c in table.columns
    )
    state["currencies"] = {c.name: c.currency for c in table.columns if c.currency}
    state["errors"] = "\n".join(f"- {problem}" for problem in table.problems)
    state["wish"] = table.wish
    state["language"] = LANGUAGE_NAMES[table.language]
    checked = {"rows": table.seen, "usable": len(state["rows"]), "error_count": table.errors, "errors": table.problems}
    return {**checked, "language": state["language"]}


def multiply_columns(first: str, second: str, result: str, tool_context: ToolContext) -> dict[str, Any]:
    """Adds a column to every row: the product of two others.

    Args:
        first: A column of numbers.
        second: Another.
        result: The name of the new column.
        tool_context: The state with the rows.
    """
    rows = tool_context.state["rows"]
    if wrong := _wrong_column(rows, first, second):
        return wrong
    tool_context.state["rows"] = with_product(rows, first, second, result)
    currencies: dict[str, str] = tool_context.state["currencies"]
    found = [currencies[name] for name in (first, second) if name in currencies]
    if len(money := [mark for mark in found if is_currency(mark)]) == 1:
        tool_context.state["currencies"] = {**currencies, result: money[0]}
    return {"column": result, "rows": len(rows)}


def total_by(
    tool_context: ToolContext, column: str | None = None, group_by: str | None = None, mean: bool = False
) -> dict[str, Any]:
    """Adds a column up, in all and for each group, or takes its mean.

    Args:
        tool_context: The state with the rows.
        column: A column of numbers; without one, rows are counted.
        group_by: The column whose values make the groups; without one, all rows are one group.
        mean: Whether to take the mean: of grades, ages or temperatures a sum says nothing.
    """
    rows = tool_context.state["rows"]
    summed, grouped = (column,) if column else (), (group_by,) if group_by else ()
    if wrong := _wrong_column(rows, *summed) or _wrong_column(rows, *grouped, numbers=False):
        return wrong
    totals = total_rows(rows, column, group_by, mean=mean)
    if currency := tool_context.state["currencies"].get(column, ""):
        totals["currency"] = currency
    tool_context.state["totals"] = as_markdown(totals, column, group_by, language=_language(tool_context.state))
    return totals


def _wrong_column(rows: list[dict[str, str]], *names: str, numbers: bool = True) -> dict[str, str] | None:
    """Why columns cannot be used, for the model to read; None if they can."""
    if not rows:
        return {"error": "There are no rows. The table has to be checked first."}
    for name in names:
        if name not in rows[0]:
            return {"error": f"There is no column {name!r}. There are: {', '.join(rows[0])}."}
        if numbers and not all(is_plain_number(row[name]) for row in rows):
            return {"error": f"The column {name!r} holds text, so it cannot be computed with. Name a column of numbers."}
    return None


def skip_without_rows(callback_context: CallbackContext) -> types.Content | None:
    """Before the processor: with nothing to compute, no model is asked."""
    if callback_context.state["rows"]:
        return None
    said = phrases_beside(__file__).say(_language(callback_context.state), "no_rows")
    return types.Content(role="model", parts=[types.Part(text=said)])


def _language(state: State | dict[str, Any]) -> Language:
    """The language of the table that was checked last."""
    return language_called(str(state.get("language")))


def begin(callback_context: CallbackContext) -> None:
    """A new message is a new table: nothing of the one before may be reported for it."""
    state = callback_context.state
    state["rows"] = []
    state["currencies"] = {}
    state["language"] = LANGUAGE_NAMES[answer_language(state["data"])]
    for key in ("columns", "errors", "wish", "totals", "validation", "result", "report"):
        state[key] = ""


validator = LlmAgent(
    name="TableValidator",
    description="Has the table read and every row checked.",
    include_contents="none",
    instruction=VALIDATOR_INSTRUCTION,
    tools=[check_table],
    output_key="validation",
)
processor = LlmAgent(
    name="TableProcessor",
    description="Decides what to compute, and has it computed.",
    include_contents="none",
    instruction=PROCESSOR_INSTRUCTION,
    tools=[multiply_columns, total_by],
    output_key="result",
    before_agent_callback=skip_without_rows,
)
reporter = LlmAgent(
    name="TableReporter",
    description="Reports what came out and what was left out.",
    include_contents="none",
    instruction=REPORTER_INSTRUCTION,
    output_key="report",
)
root_agent = SequentialAgent(
    name="DataPipeline",
    description="Validates a table, computes its totals and reports them.",
    sub_agents=[validator, processor, reporter],
    before_agent_callback=begin,
)
