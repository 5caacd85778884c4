"""The Lab: measures what a playbook is worth, with data sets, arms, scorers and intervals."""

# pyright: reportUnusedImport=false
from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.lab.active_run import ActiveRun, Progress
    from agents.lab.attribution import Attribution, Effect, Separation, answer_by, attribute, separation
    from agents.lab.background import LabJobs, Measured, MeasurementJobs
    from agents.lab.data.data_set import SPLITS, DataSet, Problem, Split
    from agents.lab.data.first_rows import FirstRows, first_rows
    from agents.lab.data.spec import open_data
    from agents.lab.data.tables.columns import Fields, columns_in
    from agents.lab.description.arms import PlaybookSource
    from agents.lab.description.lab_description import LabDescription, Limits, read_description
    from agents.lab.effects.asked_question import AsJudged, AskedQuestion, asked_question
    from agents.lab.effects.measurements import Measurements, measure
    from agents.lab.effects.plan import MeasuredEffect, Measurement, Plan
    from agents.lab.lab import Lab, Parts, RunInfo, lab_folder
    from agents.lab.plan.plan import Estimate, estimate
    from agents.lab.poison import Infection, heal, infection_of, texts_in
    from agents.lab.reports.arm_styles import arm_style
    from agents.lab.reports.export import export_run
    from agents.lab.reports.page import report_page
    from agents.lab.reports.rows import CLOSED_WORLD, arm_row, difference_row, report_rows, simulation_note
    from agents.lab.results.comparison import Comparison, corrected
    from agents.lab.results.lab_run import STATUS_WORDS, ArmSummary, LabRun, Point
    from agents.lab.sample import Sample
    from agents.lab.scorer import Score, Scorer
    from agents.lab.scorers.spec import make_scorer
    from agents.lab.scorers.suggestion import suggested_scorer
    from agents.lab.statistics import Interval, auc, holm, paired_difference, wilson
    from agents.lab.task import Outcome, Said, Task, Usage
    from agents.lab.work.cluster.executor import RayExecutor
    from agents.lab.work.worker import run_sample
    from agents.pipelines.ace.simulation.rewriter import REWRITING_RULE
    from agents.storage.lab.result import Result, Standing

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
