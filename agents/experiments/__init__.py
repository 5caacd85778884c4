"""Experiments on sessions: cursor, forks, comparison, cases, sessions as files and as code, traces for OpenTelemetry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.experiments.background import MOST_REPETITIONS as MOST_REPETITIONS
    from agents.experiments.background import BackgroundForks as BackgroundForks
    from agents.experiments.cases.adk.eval_set import EvalSetCases as EvalSetCases
    from agents.experiments.cases.adk.eval_set import cases_from_eval_set as cases_from_eval_set
    from agents.experiments.cases.adk.eval_set import cases_to_eval_set as cases_to_eval_set
    from agents.experiments.cases.case import Case as Case
    from agents.experiments.cases.case import InlineBullet as InlineBullet
    from agents.experiments.cases.case import InlinePlaybook as InlinePlaybook
    from agents.experiments.cases.case import NewestPlaybook as NewestPlaybook
    from agents.experiments.cases.case import NoPlaybook as NoPlaybook
    from agents.experiments.cases.case import PlaybookAtRevision as PlaybookAtRevision
    from agents.experiments.cases.check import CaseResult as CaseResult
    from agents.experiments.cases.check import CaseRun as CaseRun
    from agents.experiments.cases.check import Check as Check
    from agents.experiments.cases.check import outcomes as outcomes
    from agents.experiments.cases.expectations import AgentsInOrder as AgentsInOrder
    from agents.experiments.cases.expectations import AnswerContains as AnswerContains
    from agents.experiments.cases.expectations import AnswerEquals as AnswerEquals
    from agents.experiments.cases.expectations import AnswerMatches as AnswerMatches
    from agents.experiments.cases.expectations import AnswerNumber as AnswerNumber
    from agents.experiments.cases.expectations import AtMost as AtMost
    from agents.experiments.cases.expectations import Expectation as Expectation
    from agents.experiments.cases.expectations import Judge as Judge
    from agents.experiments.cases.expectations import LoopEnded as LoopEnded
    from agents.experiments.cases.expectations import StateEquals as StateEquals
    from agents.experiments.cases.expectations import ToolCalled as ToolCalled
    from agents.experiments.cases.file import CaseFiles as CaseFiles
    from agents.experiments.cases.file import CaseFolder as CaseFolder
    from agents.experiments.cases.file import StoredCase as StoredCase
    from agents.experiments.cases.file import case_from_json as case_from_json
    from agents.experiments.cases.file import case_to_json as case_to_json
    from agents.experiments.cases.file import cases_folder as cases_folder
    from agents.experiments.cases.file import read_case as read_case
    from agents.experiments.cases.file import read_cases as read_cases
    from agents.experiments.cases.gate import CaseGate as CaseGate
    from agents.experiments.cases.gate import case_gate as case_gate
    from agents.experiments.cases.kept_run import keep_run as keep_run
    from agents.experiments.cases.prefill import case_from_answer as case_from_answer
    from agents.experiments.cases.prefill import case_from_session as case_from_session
    from agents.experiments.cases.verdict import Difference as Difference
    from agents.experiments.changes import AnswerChange as AnswerChange
    from agents.experiments.changes import Change as Change
    from agents.experiments.changes import FaultChange as FaultChange
    from agents.experiments.changes import InstructionChange as InstructionChange
    from agents.experiments.changes import MessageChange as MessageChange
    from agents.experiments.changes import ModelChange as ModelChange
    from agents.experiments.changes import PlaybookChange as PlaybookChange
    from agents.experiments.changes import StateChange as StateChange
    from agents.experiments.changes import ToolResultChange as ToolResultChange
    from agents.experiments.code.session_code import SessionCode as SessionCode
    from agents.experiments.code.session_code import session_code as session_code
    from agents.experiments.comparison import Comparison as Comparison
    from agents.experiments.comparison import GrowingComparison as GrowingComparison
    from agents.experiments.comparison import Row as Row
    from agents.experiments.comparison import compare as compare
    from agents.experiments.cursor import Moment as Moment
    from agents.experiments.cursor import Timeline as Timeline
    from agents.experiments.cursor import at as at
    from agents.experiments.fork import Fork as Fork
    from agents.experiments.fork import Forks as Forks
    from agents.experiments.past import is_user_message as is_user_message
    from agents.experiments.repetitions import Repetitions as Repetitions
    from agents.experiments.repetitions import SameAnswers as SameAnswers
    from agents.experiments.sharing.adk import read_adk_session as read_adk_session
    from agents.experiments.sharing.adk import to_adk as to_adk
    from agents.experiments.sharing.desk import Imported as Imported
    from agents.experiments.sharing.desk import export_session as export_session
    from agents.experiments.sharing.desk import import_session as import_session
    from agents.experiments.sharing.desk import read_shared as read_shared
    from agents.experiments.sharing.desk import read_shared_file as read_shared_file
    from agents.experiments.sharing.reader import MAX_SESSION_FILE_BYTES as MAX_SESSION_FILE_BYTES
    from agents.experiments.sharing.reader import read_session_file as read_session_file
    from agents.experiments.sharing.references import SCOPES as SCOPES
    from agents.experiments.sharing.session_file import SessionFile as SessionFile
    from agents.experiments.sharing.sharing import Sharing as Sharing
    from agents.experiments.stored_fork import Origin as Origin
    from agents.experiments.telemetry.exporter import open_exporter as open_exporter
    from agents.experiments.telemetry.exporter import send_traces as send_traces
    from agents.experiments.telemetry.live import trace_runs as trace_runs
    from agents.experiments.telemetry.otlp_json import otlp_json as otlp_json
    from agents.experiments.telemetry.span import Span as Span
    from agents.experiments.telemetry.span import Trace as Trace
    from agents.experiments.telemetry.traces import read_traces as read_traces
    from agents.experiments.text_diff import Piece as Piece
    from agents.experiments.text_diff import word_diff as word_diff
    from agents.experiments.turns import Place as Place
    from agents.experiments.turns import Step as Step
    from agents.experiments.turns import Turn as Turn
    from agents.experiments.turns import Usage as Usage

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
