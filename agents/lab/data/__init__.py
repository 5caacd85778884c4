"""Data sets: files in JSON lines or CSV, folders of cases, sessions, and sets that are drawn by seed."""

# pyright: reportUnusedImport=false
from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.lab.data.data_set import SPLITS, DataSet, Problem, Split
    from agents.lab.data.spec import open_data

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
