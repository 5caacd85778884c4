"""Cases: sessions that were right, kept as tests, and the gate that guards a playbook with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.cases.adk.eval_set import EvalSetCases as EvalSetCases
    from agents.cases.adk.eval_set import cases_from_eval_set as cases_from_eval_set
    from agents.cases.adk.eval_set import cases_to_eval_set as cases_to_eval_set
    from agents.cases.case import Case as Case
    from agents.cases.case import InlineBullet as InlineBullet
    from agents.cases.case import InlinePlaybook as InlinePlaybook
    from agents.cases.case import NewestPlaybook as NewestPlaybook
    from agents.cases.case import NoPlaybook as NoPlaybook
    from agents.cases.case import PlaybookAtRevision as PlaybookAtRevision
    from agents.cases.check import CaseResult as CaseResult
    from agents.cases.check import CaseRun as CaseRun
    from agents.cases.check import Check as Check
    from agents.cases.check import outcomes as outcomes
    from agents.cases.expectations import AgentsInOrder as AgentsInOrder
    from agents.cases.expectations import AnswerContains as AnswerContains
    from agents.cases.expectations import AnswerEquals as AnswerEquals
    from agents.cases.expectations import AnswerMatches as AnswerMatches
    from agents.cases.expectations import AnswerNumber as AnswerNumber
    from agents.cases.expectations import AtMost as AtMost
    from agents.cases.expectations import Expectation as Expectation
    from agents.cases.expectations import Judge as Judge
    from agents.cases.expectations import LoopEnded as LoopEnded
    from agents.cases.expectations import StateEquals as StateEquals
    from agents.cases.expectations import ToolCalled as ToolCalled
    from agents.cases.file import CaseFiles as CaseFiles
    from agents.cases.file import CaseFolder as CaseFolder
    from agents.cases.file import StoredCase as StoredCase
    from agents.cases.file import case_from_json as case_from_json
    from agents.cases.file import case_to_json as case_to_json
    from agents.cases.file import cases_folder as cases_folder
    from agents.cases.file import read_case as read_case
    from agents.cases.file import read_cases as read_cases
    from agents.cases.gate import CaseGate as CaseGate
    from agents.cases.gate import case_gate as case_gate
    from agents.cases.kept_run import keep_run as keep_run
    from agents.cases.prefill import case_from_answer as case_from_answer
    from agents.cases.prefill import case_from_session as case_from_session
    from agents.cases.verdict import Difference as Difference

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
