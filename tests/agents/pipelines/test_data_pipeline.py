from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from agents.pipelines.data_pipeline.agent import PROCESSOR_INSTRUCTION
from agents.pipelines.data_pipeline.card import card
from agents.pipelines.data_pipeline.numbers import is_plain_number, read_number, show_number
from agents.pipelines.data_pipeline.simulation import process
from agents.pipelines.data_pipeline.table import MAX_PROBLEMS, MAX_ROWS, NO_TABLE, Table, read_table
from agents.pipelines.data_pipeline.totals import as_markdown, total_rows, with_product
from agents.runtime.fault import Fault
from tests.agents.pipelines.rehearsal import Rehearsal, rehearse, rehearse_async

ORDERS = card.samples[0]


def calls_of(run: Rehearsal) -> list[str]:
    return [call.name for event in run.events for call in event.get_function_calls()]


def check(run: Rehearsal) -> None:
    """The card's claims, whatever was pasted."""
    assert run.of_kind("run_finished")[0]["status"] == "completed"
    if not run.results("check_table"):
        assert (calls_of(run), run.state["rows"], run.state["totals"]) == ([], [], "")
        return
    (checked,) = [result.response for result in run.results("check_table")]
    assert checked["usable"] == len(run.state["rows"])
    asked = {record["agent"] for record in run.of_kind("model_started")}
    assert ("TableProcessor" in asked) == bool(run.state["rows"])
    assert bool(run.state["totals"]) == bool(run.state["rows"])
    report = run.state["report"]
    if checked["language"] == "English":
        assert report.startswith(f"{checked['usable']} of {checked['rows']} ")
    assert all(f"- {error}" in report for error in checked["errors"])
    for result in run.results("total_by"):
        assert result.response["rows"] == len(run.state["rows"])


@pytest.mark.anyio
async def test_orders_are_checked_computed_and_reported():
    run = await rehearse_async("data_pipeline", ORDERS)

    check(run)
    assert calls_of(run) == ["check_table", "multiply_columns", "total_by"]
    assert run.results("check_table")[0].response == {
        "rows": 6,
        "usable": 4,
        "error_count": 2,
        "errors": [
            "Line 4: quantity is “two”, which is no number.",
            "Line 6 has 2 cells, and the table has 3 columns.",
        ],
        "language": "English",
    }
    assert run.state["report"] == (
        "4 of 6 rows can be used; 2 errors found. The total amount is 51.40, from 5.50 to 18.00 a row. "
        "The largest part is tea with 31.50 (61.3 %).\n\n"
        "| item | rows | amount | share |\n"
        "|---|--:|--:|--:|\n"
        "| tea | 2 | 31.50 | 61.3 % |\n"
        "| coffee | 1 | 14.40 | 28.0 % |\n"
        "| sugar | 1 | 5.50 | 10.7 % |\n"
        "| **all** | 4 | 51.40 |  |\n\n"
        "Left out:\n"
        "- Line 4: quantity is “two”, which is no number.\n"
        "- Line 6 has 2 cells, and the table has 3 columns."
    )


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("3 apples at 0.40, 2 pears at 0.60, 1 melon at 2.90", "The total amount is 5.30, from 1.20 to 2.90 a row."),
        ("- milk: 2\n- bread: 3", "The total value is 5, from 2 to 3 a row."),
        ("12, 7, 30", "The total value is 49, from 7 to 30 a row."),
        ("Sum the quantity:\nitem,quantity,price\na,1,2\nb,4,3", "The total quantity is 5, from 1 to 4 a row."),
        ("id\tsales\tyear\n7\t10\t1999\n8\t20\t2000", "The total sales is 30, from 10 to 20 a row."),
        ("region;sales\nnorth;1.200,50\nnorth;-0,25", "The total sales is 1200.25, from -0.25 to 1200.50 a row."),
        ("a,b\nx,y\nx,z\nx,w", "Rows were counted: 3. Most have the a x."),
        ("id,score,age\n7,1,30\n8,2,40", "The mean age is 35.00, from 30 to 40 a row."),
    ],
)
async def test_what_is_computed_follows_from_the_table(message, said):
    run = await rehearse_async("data_pipeline", message)

    check(run)
    assert said in run.state["report"]
    assert "no error" in run.state["report"]


@pytest.mark.anyio
async def test_a_wish_chooses_column_and_group():
    table = "item,shop,price,weight\na,x,1,10\nb,y,2,20\na,y,3,30"
    run = await rehearse_async("data_pipeline", f"Add up the weight by shop:\n{table}")
    plain = await rehearse_async("data_pipeline", table)

    assert run.events[-1].text.count("| y | 2 | 50 | 83.3 % |") == 1
    assert [c.args for e in plain.events for c in e.get_function_calls() if c.name == "total_by"] == [
        {"column": "price", "group_by": "item"}
    ]


@pytest.mark.anyio
async def test_without_a_row_nothing_is_computed_and_no_model_is_asked():
    run = await rehearse_async("data_pipeline", "item,quantity\n,1\n,2")

    check(run)
    assert calls_of(run) == ["check_table"]
    assert "Nothing was computed, since no row can be used." in run.state["report"]
    assert "To be mended first:" in run.state["report"]


@pytest.mark.anyio
async def test_all_or_nothing():
    strict = await rehearse_async("data_pipeline", ORDERS, state={"strict": True})
    whole = await rehearse_async("data_pipeline", "item,price\na,1\nb,2", state={"strict": True})

    check(strict)
    assert strict.state["rows"] == []
    assert "0 of 6 rows can be used" in strict.state["report"]
    assert "To be mended first:\n- Line 4" in strict.state["report"]
    assert "The total price is 3" in whole.state["report"]


@pytest.mark.anyio
async def test_a_failing_step_leaves_what_was_made_before():
    run = await rehearse_async("data_pipeline", ORDERS, faults=[Fault(kind="fail_before", target="TableProcessor")])

    assert run.of_kind("run_finished")[0]["status"] == "failed"
    assert len(run.state["rows"]) == 4
    assert run.state["errors"]
    assert run.state["report"] == ""


@pytest.mark.anyio
async def test_a_validator_that_only_talks_passes_nothing_on():
    run = await rehearse_async("data_pipeline", ORDERS, faults=[Fault(kind="malformed_json", target="TableValidator")])

    assert run.of_kind("run_finished")[0]["status"] == "completed"
    assert "TableProcessor" not in {record["agent"] for record in run.of_kind("model_started")}
    assert "Nothing was computed" in run.state["report"]


@pytest.mark.anyio
async def test_the_next_table_of_a_session_starts_anew():
    after = await rehearse_async("data_pipeline", ORDERS, "hello")

    assert after.state["rows"] == []
    assert "Try “3 apples at 0.40" in after.state["report"]
    assert "tea" not in after.state["report"]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(max_size=300).filter(str.strip))
@example("</totals></errors>,1\n</result>,2")
@example("{totals},{nothing}\n1,2")
@example("a,a,A\n1,2,3\n1,2,3")
@example('"a,1\nb,2')
@example("item,amount\n<errors>,1\n- x: text\\, 3 different,2")
@example("9" * 400)
@example("a;b\n1e5;0x10\n٣;½")
@example("a,b\nx,1\ny,−2\nz,1'000")
@example("quantity,price\n999999999999999,999999999999999\n1,0.000000000000001")
def test_any_message_runs_to_an_end(message):
    check(rehearse("data_pipeline", message))


# -- numbers


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", "3"),
        ("-3.50", "-3.50"),
        ("−2", "-2"),
        ("1,200", "1200"),
        ("1,200.50", "1200.50"),
        ("1.200,50", "1200.50"),
        ("1.234.567", "1234567"),
        ("3,5", "3.5"),
        ("1.5", "1.5"),
        ("€ 4.20", "4.20"),
        ("12 %", "12"),
        ("7 EUR", "7"),
        ("1 200", "1200"),
        ("1'000", "1000"),
        (".5", "0.5"),
        ("٣", "3"),
        ("１２０", "120"),
        ("￥1,200", "1200"),
        ("120円", "120"),
        ("三百円", "300"),
        ("7本", "7"),
        ("４，５", "4.5"),
        ("12.5元", "12.5"),
        ("US$ 3", "3"),
        ("4 dollars", "4"),
        ("4 kg", "4"),
        ("-$5", "-5"),
        ("21°C", "21"),
        ("£1.50", "1.50"),
        ("五百円", "500"),
    ],
)
def test_numbers_are_read_as_people_type_them(text, value):
    assert read_number(text) == Decimal(value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "two",
        "1 2 3",
        "1e5",
        "三角形",
        "1.2.3",
        "--1",
        "0x10",
        "nan",
        "inf",
        "9" * 16,
        "4 kgs of",
        "5h30",
        "1.200",
        "1,20,3",
    ],
)
def test_what_is_no_number_is_not_made_one(text):
    assert read_number(text) is None


@given(st.decimals(min_value=-(10**9), max_value=10**9, places=4))
def test_a_number_that_is_shown_can_be_read(value):
    shown = show_number(value)

    assert is_plain_number(shown)
    assert read_number(shown) == value


# -- tables


def told(table: Table) -> list[str]:
    return [column.name for column in table.columns]


@pytest.mark.parametrize(
    "text",
    [
        "item,price\ntea,4.50\nmilk,1",
        "item;price\ntea;4,50\nmilk;1",
        "item\tprice\ntea\t4.50\nmilk\t1",
        "| item | price |\n|---|--:|\n| tea | 4.50 |\n| milk | 1 |",
        "```csv\nItem, Price\ntea, 4.50\n\nmilk, 1\n```",
        'item,price\n"tea","4.50"\nmilk,€ 1',
    ],
)
def test_a_table_is_the_same_however_it_is_typed(text):
    table = read_table(text)

    assert told(table) == ["item", "price"]
    assert [column.kind for column in table.columns] == ["text", "number"]
    assert [{**row, "price": Decimal(row["price"])} for row in table.rows] == [
        {"item": "tea", "price": Decimal("4.5")},
        {"item": "milk", "price": Decimal(1)},
    ]
    assert table.problems == []
    assert table.seen == 2


@pytest.mark.parametrize(
    ("text", "columns", "rows"),
    [
        ("3 apples at 0.40\n2 x pears @ 1", ["item", "quantity", "price"], [["apples", "3", "0.40"], ["pears", "2", "1"]]),
        ("- tea 4\n- milk 1", ["item", "value"], [["tea", "4"], ["milk", "1"]]),
        ("1. tea: 4\n2. milk: 1", ["item", "value"], [["tea", "4"], ["milk", "1"]]),
        ("2 tea, 3 milk", ["item", "quantity"], [["tea", "2"], ["milk", "3"]]),
        ("5 6 7", ["value"], [["5"], ["6"], ["7"]]),
        ("1,2\n3,4", ["column 1", "column 2"], [["1", "2"], ["3", "4"]]),
        ("Costs: tea 4, milk 1", ["item", "value"], [["tea", "4"], ["milk", "1"]]),
        ("a,a,\nx,1,2", ["a", "a 2", "column 3"], [["x", "1", "2"]]),
    ],
)
def test_lists_and_tables_without_names_have_columns_too(text, columns, rows):
    table = read_table(text)

    assert told(table) == columns
    assert [list(row.values()) for row in table.rows] == rows
    assert table.problems == []


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("tea,two,1", "Line 4: quantity is “two”, which is no number."),
        ("tea,,1", "Line 4: quantity is empty."),
        (",1,1", "Line 4: item is empty."),
        ("tea,-1,1", "Line 4: quantity is -1, and it cannot be below 0."),
        ("tea,1", "Line 4 has 2 cells, and the table has 3 columns."),
        ("tea,1,2,3", "Line 4 has 4 cells, and the table has 3 columns."),
        ("tea", "Line 4 has 1 cell, and the table has 3 columns."),
    ],
)
def test_each_kind_of_error_is_named_with_its_line(row, problem):
    table = read_table(f"item,quantity,price\nmilk,1,2\n\n{row}\nbread,2,2")

    assert table.problems == [problem]
    assert [found["item"] for found in table.rows] == ["milk", "bread"]


def test_every_error_of_a_row_is_named():
    table = read_table("item,quantity,price\na,1,1\nb,2,2\n,x,y")

    assert len(table.problems) == 3
    assert len(table.rows) == 2


def test_a_wish_is_not_a_row():
    table = read_table("Sum the sales by region:\nregion,sales\nnorth,1")

    assert table.wish == "Sum the sales by region"
    assert (told(table), table.seen) == (["region", "sales"], 1)
    assert read_table("region:1\nsales:2").wish == ""


def test_text_is_no_table():
    assert read_table("Once upon a time there was a king.\nHe had no table.").problems == [NO_TABLE]
    assert read_table("").problems == [NO_TABLE]


def test_a_long_table_is_cut_and_says_so():
    table = read_table("item,price\n" + "\n".join(f"i{n},{n}" for n in range(MAX_ROWS + 5)))

    assert len(table.rows) == MAX_ROWS
    assert table.seen == MAX_ROWS + 5
    assert table.problems == [f"Only the first {MAX_ROWS} of {MAX_ROWS + 5} rows are used."]


def test_of_very_many_errors_the_first_are_listed():
    table = read_table("item,price\n" + "\n".join(f"i{n},1\n,{n}" for n in range(60)))

    assert table.errors == 60
    assert len(table.problems) == MAX_PROBLEMS + 1
    assert table.problems[-1] == "And 10 more errors."


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=300))
def test_any_text_gives_rows_that_fit_their_columns(text):
    table = read_table(text)

    for row in table.rows:
        assert list(row) == told(table)
        assert all(row.values())
        for column in table.columns:
            assert column.kind == "text" or is_plain_number(row[column.name])
    assert len(table.rows) <= table.seen
    assert len(table.rows) + len(table.problems) >= min(table.seen, 1)


# -- totals

ROWS = [
    {"item": "a", "n": "0.1", "m": "3"},
    {"item": "b", "n": "0.2", "m": "2"},
    {"item": "a", "n": "0.3", "m": "1"},
]


def test_totals_are_exact_and_the_largest_comes_first():
    assert total_rows(ROWS, "n", "item") == {
        "rows": 3,
        "groups": [
            {"name": "a", "rows": 2, "sum": "0.4", "share": "66.7 %"},
            {"name": "b", "rows": 1, "sum": "0.2", "share": "33.3 %"},
        ],
        "sum": "0.6",
        "smallest": "0.1",
        "largest": "0.3",
        "mean": "0.200",
    }


def test_rows_are_counted_without_a_column():
    assert total_rows(ROWS, None, "item") == {"rows": 3, "groups": [{"name": "a", "rows": 2}, {"name": "b", "rows": 1}]}
    assert as_markdown(total_rows(ROWS, None, "item"), None, "item").splitlines()[-1] == "| **all** | 3 |"


def test_a_product_is_exact_and_a_new_column():
    rows = with_product([{"n": "999999999999999", "m": "999999999999.999"}], "n", "m", "p")

    assert Fraction(rows[0]["p"]) == Fraction("999999999999999") * Fraction("999999999999.999")
    assert ROWS[0] == {"item": "a", "n": "0.1", "m": "3"}


@given(st.lists(st.tuples(st.sampled_from("abc"), st.decimals(-(10**6), 10**6, places=2)), min_size=1, max_size=30))
def test_groups_add_up_to_the_whole(cells):
    totals = total_rows([{"g": name, "n": show_number(number)} for name, number in cells], "n", "g")

    assert sum(Decimal(group["sum"]) for group in totals["groups"]) == Decimal(totals["sum"]) == sum(n for _, n in cells)
    assert sum(group["rows"] for group in totals["groups"]) == totals["rows"] == len(cells)
    assert [Decimal(group["sum"]) for group in totals["groups"]] == sorted(
        (Decimal(group["sum"]) for group in totals["groups"]), reverse=True
    )


def test_a_name_cannot_break_the_table_of_totals():
    shown = as_markdown(total_rows([{"g": "a|b\\", "n": "1"}], "n", "g"), "n", "g")

    assert len(re.findall(r"(?<!\\)\|", shown.splitlines()[-1])) == 5


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("args", "error"),
    [
        ({"column": "colour", "group_by": "item"}, "There is no column 'colour'. There are: item, n."),
        ({"column": "item"}, "The column 'item' holds text"),
        ({"column": "n", "group_by": "shop"}, "There is no column 'shop'"),
    ],
)
async def test_a_model_is_told_which_columns_there_are(args, error):
    from agents.pipelines.data_pipeline.agent import total_by

    class Context:
        state = {"rows": [{"item": "a", "n": "1"}]}  # noqa: RUF012  one test's own

    assert error in total_by(Context(), **args)["error"]
    Context.state = {"rows": []}
    assert "checked first" in total_by(Context(), **args)["error"]


def test_the_processor_tells_of_a_tool_that_could_not(simulated_request):
    text = PROCESSOR_INSTRUCTION.replace("{columns}", "- n: number, 3 different").replace("{wish}", "")

    said = process(simulated_request("TableProcessor", text, results=[("total_by", {"error": "No rows."})]))
    assert said == "Nothing could be computed: No rows."


# -- currencies


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("message", "said", "head"),
    [
        ("item,quantity,price\ntea,2,$4.50\nmilk,1,$1", "The total amount is $10.00, from $1 to $9.00 a row.", "amount ($)"),
        ("- tea £4\n- milk £1", "The total value is £5", "value (£)"),
        ("item,price\ntea,4 EUR\nmilk,€1", "The total price is 5 EUR", "price (EUR)"),
        ("平均を教えて：\n商品,金額\na,300円\nb,五百円", "「金額」の平均は1行あたり400.00円", "金額 (円)の平均"),
        ("商品,数量,単価（円）\na,3,100\nb,2,80", "「金額」の合計は460円", "金額 (円)"),
        ("朝食500円、昼食1,200円", "「値」の合計は1700円", "値 (円)"),
        ("产品；金额\n苹果；￥12\n梨；3元", "“金额”合计15元", "金额 (元)"),
        ("蘋果 3 個 每個 4 美元，梨 2 個 每個 7 美元", "「金額」合計26美元", "金額 (美元)"),
    ],
)
async def test_a_currency_is_kept_as_it_is_written(message, said, head):
    run = await rehearse_async("data_pipeline", message)

    assert said in run.state["report"]
    assert f"| {head} |" in run.state["report"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("item,price\na,$1\nb,€2\nc,$3", "Line 3: price is in €, and the others are in $; nothing is converted."),
        ("商品,金額\na,1円\nb,2ドル\nc,¥3", "3行目：「金額」の通貨がドルですが、ほかは円です。換算はしません。"),
        ("item,weight\na,1 kg\nb,500 g\nc,2 kg", "Line 3: weight is in g, and the others are in kg; nothing is converted."),
        ("item,weight\na,1 kg\nb,500\nc,2 kg", "Line 3: weight has no unit, and the others are in kg."),
        ("产品,金额\na,1元\nb,2日元\nc,3元", "第3行：“金额”的货币是日元，而其他的是元；这里不换算。"),
    ],
)
def test_currencies_are_not_added_up_with_each_other(text, problem):
    table = read_table(text)

    assert table.problems == [problem]
    assert len(table.rows) == 2
