"""Which names of a statement are its module's."""

from __future__ import annotations

import ast

import pytest

from agents.sharing.code.python.scopes import bound_names, module_names

CASES = [
    ("x = y + z", {"x", "y", "z"}),
    ("def f(a, *b, c=D, **e): return a + b + c + e + G", {"D", "G"}),
    ("def f():\n x = 1\n return x + y", {"y"}),
    ("def f():\n global x\n x = 1", {"x"}),
    ("def f():\n def g():\n  return x + y\n x = 1\n return g", {"y"}),
    ("f = lambda a, b=B: a + b + C", {"f", "B", "C"}),
    ("x = [a + b for a in A if a in B]", {"x", "b", "A", "B"}),
    ("x = {a: b for a, b in a.items()}", {"x", "a"}),
    ("def f():\n return [y for x in X if (y := x)] + [y]", {"X"}),
    ("class C(B):\n x = Y\n z = x\n def m(self): return x", {"B", "Y", "x"}),
    ("@D\ndef f(a: A = B) -> R: ...", {"D", "A", "B", "R"}),
    (
        "def f(x):\n match x:\n  case {'a': b, **rest}: return b, rest\n  case [c, *d]: return c, d\n  case E(): return E",
        {"E"},
    ),
    ("def f():\n try: ...\n except E as e: return e", {"E"}),
    ("def f():\n import os.path\n from m import n as o\n return os, o", set()),
    ("def f(): return f'{x!r:>{w}}'", {"x", "w"}),
    ("async def f():\n async with A as a, B() as (b, c):\n  return a, b, c, d", {"A", "B", "d"}),
]


@pytest.mark.parametrize(("text", "names"), CASES)
def test_names_of_the_module(text, names):
    assert {node.id for node in module_names(ast.parse(text).body[0])} == names


def test_what_a_statement_binds():
    text = "try:\n import json\nexcept ImportError:\n json = None\nelse:\n def f(): inner = 1\n"
    assert set(bound_names(ast.parse(text).body)) == {"json", "f"}
