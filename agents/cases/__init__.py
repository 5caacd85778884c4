"""Cases: sessions that were right, kept as tests, and the gate that guards a playbook with them."""

# pyright: reportUnusedImport=false
from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.cases.adk.eval_set import EvalSetCases, cases_from_eval_set, cases_to_eval_set
    from agents.cases.case import Case, InlineBullet, InlinePlaybook, NewestPlaybook, NoPlaybook, PlaybookAtRevision
    from agents.cases.check import CaseResult, CaseRun, Check, outcomes
    from agents.cases.expectations import (
        AgentsInOrder,
        AnswerContains,
        AnswerEquals,
        AnswerMatches,
        AnswerNumber,
        AtMost,
        Expectation,
        Judge,
        LoopEnded,
        StateEquals,
        ToolCalled,
    )
    from agents.cases.file import (
        CaseFiles,
        CaseFolder,
        StoredCase,
        case_from_json,
        case_to_json,
        cases_folder,
        read_case,
        read_cases,
    )
    from agents.cases.gate import CaseGate, case_gate
    from agents.cases.kept_run import keep_run
    from agents.cases.prefill import case_from_answer, case_from_session
    from agents.cases.verdict import Difference

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
