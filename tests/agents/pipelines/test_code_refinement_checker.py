from __future__ import annotations

import ast

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agents.pipelines.code_refinement.checker import MOST_CHARACTERS, MOST_LINES, check, code_in, name_in
from agents.pipelines.code_refinement.finding import NO_FINDINGS, Finding, as_text
from agents.pipelines.code_refinement.rules import branches

DOC = '    """Do it."""\n'

GOOD = {
    "plain": f"def f(x):\n{DOC}    return x\n",
    "no result": f"def f(x):\n{DOC}    print(x)\n",
    "private": "def _f(x):\n    return x\n",
    "if and else": f"def f(x):\n{DOC}    if x:\n        return 1\n    else:\n        return 2\n",
    "elif chain": (
        f"def f(x):\n{DOC}    if x:\n        return 1\n    elif x > 2:\n        return 2\n    else:\n        raise OSError\n"
    ),
    "partly, then all": f"def f(x):\n{DOC}    if x:\n        pass\n    else:\n        return 1\n    return 2\n",
    "while true": (
        f"def f(x):\n{DOC}    while True:\n        for y in x:\n            break\n        if x:\n            return 1\n"
    ),
    "try": f"def f(x):\n{DOC}    try:\n        return x()\n    except OSError:\n        return 1\n",
    "finally": f"def f(x):\n{DOC}    try:\n        x()\n    finally:\n        return 1\n",
    "with": f"def f(x):\n{DOC}    with x:\n        return 1\n",
    "match": f"def f(x):\n{DOC}    match x:\n        case 1:\n            return 1\n        case _:\n            return 2\n",
    "generator": f"def f(x) -> object:\n{DOC}    for y in x:\n        yield y\n",
    "closure": f"def f(x):\n{DOC}    def inner():\n        return x\n    return inner\n",
    "comprehension": f"def f(x):\n{DOC}    return [y + z for y in x for z in y if z]\n",
    "walrus": f"def f(x):\n{DOC}    if (n := len(x)) > 1:\n        return n\n    return 0\n",
    "later": f"def f():\n{DOC}    return g()\n\n\ndef g():\n{DOC}    return NAME\n\n\nNAME = 1\n",
    "global": f"def f():\n{DOC}    global made\n    made = 1\n\n\ndef g():\n{DOC}    return made\n",
    "import": f"import os.path\nfrom math import pi as p\n\n\ndef f():\n{DOC}    return os.path.sep, p\n",
    "future": f"from __future__ import annotations\n\n\ndef f(x: int) -> None:\n{DOC}    print(x)\n",
    "class": f"class A:\n    b = 1\n\n    def f(self):\n{DOC}        return self.b\n".replace('    """', '        """'),
    "names of the module": f"def f():\n{DOC}    return __name__, __file__\n",
    "lambda": f"def f(x):\n{DOC}    return lambda y, z=None: x + y\n",
    "star arguments": f"def f(*args, key=(), **more):\n{DOC}    return args, key, more\n",
    "exceptions": f"def f():\n{DOC}    try:\n        f()\n    except OSError as error:\n        print(error)\n",
    "carriage returns": f"def f(x):\n{DOC}    return x\n".replace("\n", "\r\n"),
    "async": f"async def f(x):\n{DOC}    async with x:\n        return 1\n",
    "decorated": f"import functools\n\n\n@functools.cache\ndef f(x):\n{DOC}    return x\n",
}

BAD = {
    "nothing": ("", [(1, "no code")]),
    "no colon": ("def f(x)\n    return x\n", [(1, "syntax")]),
    "no indent": ("def f():\nreturn 1\n", [(2, "syntax")]),
    "outside": ("return 1\n", [(1, "syntax")]),
    "break outside": (f"def f():\n{DOC}    break\n", [(3, "syntax")]),
    "is literal": (f"def f(x):\n{DOC}    return x is 1\n", [(3, "syntax")]),
    "null": ("x = 1\0\n", [(1, "syntax")]),
    "half a character": ("x = '\ud800'\n", [(1, "syntax")]),
    "no function": ("x = 1\n", [(1, "missing function")]),
    "no docstring": ("def f(x):\n    return x\n", [(1, "missing docstring")]),
    "empty docstring": ('def f(x):\n    """ """\n    return x\n', [(1, "missing docstring")]),
    "method without docstring": ("class A:\n    def f(self):\n        return 1\n", [(2, "missing docstring")]),
    "undefined": (f"def f(x):\n{DOC}    return y\n", [(3, "undefined name")]),
    "undefined at the top": (f"def f(x):\n{DOC}    return x\n\n\nprint(z)\n", [(6, "undefined name")]),
    "undefined in a comprehension": (f"def f(x):\n{DOC}    return [q for y in x]\n", [(3, "undefined name")]),
    "a class's name in its method": (
        f"class A:\n    b = 1\n\n    def f(self):\n    {DOC}        return b\n",
        [(6, "undefined name")],
    ),
    "unused import": (f"import os\n\n\ndef f(x):\n{DOC}    return x\n", [(1, "unused import")]),
    "unused of two": (f"from math import pi, e\n\n\ndef f():\n{DOC}    return e\n", [(1, "unused import")]),
    "star": (f"from math import *\n\n\ndef f():\n{DOC}    return pi\n", [(1, "star import")]),
    "list default": (f"def f(x=[]):\n{DOC}    return x\n", [(1, "mutable default")]),
    "dict default": (f"def f(x, /, y=1, *, z={{}}):\n{DOC}    return x, y, z\n", [(1, "mutable default")]),
    "call default": (f"def f(x=set()):\n{DOC}    return x\n", [(1, "mutable default")]),
    "no return": (f"def f(x) -> int:\n{DOC}    print(x)\n", [(1, "missing return")]),
    "no return on one way": (f"def f(x):\n{DOC}    if x:\n        return 1\n", [(1, "missing return")]),
    "no return after a break": (
        f"def f(x):\n{DOC}    while True:\n        if x:\n            break\n        return 1\n",
        [(1, "missing return")],
    ),
    "no return in a handler": (
        f"def f(x):\n{DOC}    try:\n        return x()\n    except OSError:\n        pass\n",
        [(1, "missing return")],
    ),
    "no return for another case": (
        f"def f(x):\n{DOC}    match x:\n        case 1:\n            return 1\n",
        [(1, "missing return")],
    ),
    "stub": (f"def f(x):\n{DOC}    ...\n", [(1, "not implemented")]),
    "promise": (f"def f(x) -> int:\n{DOC}    raise NotImplementedError('later')\n", [(1, "not implemented")]),
    "bare except": (f"def f(x):\n{DOC}    try:\n        x()\n    except:\n        print(1)\n", [(5, "bare except")]),
    "equal to None": (f"def f(x):\n{DOC}    return x == None\n", [(3, "comparison")]),
    "eval": (f"def f(x):\n{DOC}    return eval(x)\n", [(3, "forbidden call")]),
    "shadow": (f"def f(list):\n{DOC}    return list\n", [(1, "shadowed name")]),
    "complex": (f"def f(x):\n{DOC}    return " + " and ".join(["x"] * 10) + "\n", [(1, "complexity")]),
    "several": (
        "import os\ndef f(a=[]):\n    return b\n",
        [(1, "unused import"), (2, "missing docstring"), (2, "mutable default"), (3, "undefined name")],
    ),
}


@pytest.mark.parametrize("name", GOOD)
def test_good_sources_pass(name):
    assert [str(finding) for finding in check(GOOD[name])] == []


@pytest.mark.parametrize("name", BAD)
def test_bad_sources_are_found_out_line_by_line(name):
    source, expected = BAD[name]

    assert [(finding.line, finding.rule) for finding in check(source)] == expected


def test_the_name_that_is_wanted_must_be_defined():
    source = GOOD["plain"]

    assert check(source, wanted="f") == []
    assert check(source, wanted="g") == [Finding(1, "missing function", "'g' is not defined; there is f")]


def test_branches_are_counted_without_those_of_inner_functions():
    inner = "    def g():\n        if x: pass\n"
    source = f"def f(x):\n{inner}    for y in x:\n        if y and x or y: pass\n    return [z for z in x if z]\n"
    function = ast.parse(source).body[0]

    assert branches(function) == 1 + 1 + 2 + 2
    assert [f.rule for f in check(source, most_branches=5)].count("complexity") == 1
    assert [f.rule for f in check(source, most_branches=6)].count("complexity") == 0


def test_nothing_is_ever_run(tmp_path):
    mark = tmp_path / "ran"
    lines = [
        f"open({str(mark)!r}, 'w').write('x')",
        f"print(f\"{{open({str(mark)!r}, 'w')}}\")",
        f"def f(x=open({str(mark)!r}, 'w')): return x",
        f"@open({str(mark)!r}, 'w')\ndef f(): return 1",
        f"class A(metaclass=open({str(mark)!r}, 'w')): pass",
        "import tests.agents.pipelines.no_such_module",
        "raise SystemExit",
        "while True: pass",
        "x: open('y', 'w') = 1",
    ]
    for line in lines:
        check(f"{line}\n")
        check(code_in(f"```python\n{line}\n```"))

    assert not mark.exists()


HUGE = {
    "brackets": "(" * 10_000,
    "closed brackets": "x = " + "[" * 3_000 + "]" * 3_000,
    "minuses": "x = " + "-" * 9_000 + "1",
    "minuses on lines": "x = (\n" + "-\n" * 280 + "-" * 5_000 + "1)",
    "minuses in an f-string": 'x = f"{' + "-" * 9_000 + '1}"',
    "nots": "x = " + "not " * 2_900 + "1",
    "lambdas": "x = " + "lambda: " * 1_400 + "1",
    "attributes": "x = a" + ".b" * 5_000,
    "sums": "x = 1" + " + 1" * 2_900,
    "conditions": "x = " + "a if b else " * 900 + "c",
    "continued lines": "x = \\\n" * 290 + "1",
    "elifs": "if x:\n pass\n" + "elif x:\n pass\n" * 145,
    "blocks": "".join(" " * depth + "if x:\n" for depth in range(150)) + " " * 150 + "pass",
    "lines": "x = 1\n" * 9_000,
    "one long line": "#" * 100_000,
    "a long string": "x = '" + "a" * 9_000 + "'",
    "an open string": '"""' + "a" * 9_000,
    "a long number": "x = " + "9" * 9_000,
    "a large power": "x = 9 ** 9 ** 9 ** 9",
    "a large text": "x = 'a' * 10 ** 12",
    "a large shift": "x = 1 << 10 ** 12",
    "decorators": "@a\n" * 290 + "def f(): pass",
    "comprehensions": "x = " + "[a for a in " * 15 + "b" + "]" * 15,
    "bad calls": "x = " + "f(**a, *b, " * 18 + ")" * 18,
}


@pytest.mark.parametrize("name", HUGE)
@pytest.mark.timeout(20)
def test_huge_and_deep_sources_are_answered(name):
    findings = check(HUGE[name])

    assert findings
    assert all(len(str(finding)) < 20_000 for finding in findings)


def test_limits_are_said():
    assert str(check("x = 1\n" * (MOST_LINES + 1))[0]) == (
        f"line 1, too long: at most {MOST_LINES} lines and {MOST_CHARACTERS} characters are checked"
    )
    assert check("(" * 30)[0].rule == "too deep"


TOKENS = (
    """def f ( ) : = [ ] { } if else for in lambda not - * ** , . import try except class 'a " \\ # match case _ return"""
)
WORDS = st.sampled_from([*TOKENS.split(), "\n", "\n    ", "\n        "])


@settings(deadline=None, max_examples=300)
@given(st.text(max_size=200) | st.lists(WORDS, max_size=60).map(" ".join))
@example("\x0c")
@example("if 1:\n\tx\n        y")
@example("\ufeffx = 1")
@example("async def f():\n await x\n return [await y async for y in x]")
def test_any_text_has_findings_or_none(source):
    findings = check(source)

    assert findings == sorted(findings)
    assert Finding.all_in(as_text(findings)) == [Finding(f.line, f.rule, " ".join(f.detail.split())) for f in findings]
    if not findings:
        ast.parse(source)


@given(
    st.lists(
        st.builds(Finding, st.integers(1, 999), st.sampled_from(["syntax", "undefined name"]), st.just("'x' is")), max_size=5
    )
)
def test_findings_written_down_are_read_again(findings):
    assert Finding.all_in(as_text(findings)) == findings
    assert (as_text(findings) == NO_FINDINGS) == (not findings)


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ("Here:\n```python\nx = 1\n```\nDone.", "x = 1\n"),
        ("~~~\nx\n~~~", "x\n"),
        ("````\n```\n````", "```\n"),
        ("```python\nx = 1", "x = 1"),
        ("x = 1", ""),
        ("", ""),
    ],
)
def test_code_is_taken_from_the_first_fenced_block(answer, code):
    assert code_in(answer) == code


@pytest.mark.parametrize(
    ("request_text", "name"),
    [
        ("A function clamp(value, low, high)", "clamp"),
        ("a function called `middle` for it", "middle"),
        ("a function named fold", "fold"),
        ("please write count_words(text)", "count_words"),
        ("write a function for the mean", None),
        ("the mean (or average) of numbers", None),
        ("a_" * 30_000, None),
        ("Mend this:\n```python\ndef f(x): pass\n```", None),
    ],
)
def test_a_name_is_wanted_where_one_is_given(request_text, name):
    assert name_in(request_text) == name
