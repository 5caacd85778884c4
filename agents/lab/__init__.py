"""The Lab: measures what a playbook is worth, with data sets, arms, scorers and intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.lab.active_run import ActiveRun as ActiveRun
    from agents.lab.active_run import Progress as Progress
    from agents.lab.attribution import Attribution as Attribution
    from agents.lab.attribution import Effect as Effect
    from agents.lab.attribution import Separation as Separation
    from agents.lab.attribution import answer_by as answer_by
    from agents.lab.attribution import attribute as attribute
    from agents.lab.attribution import separation as separation
    from agents.lab.background.lab_jobs import LabJobs as LabJobs
    from agents.lab.background.measurement_jobs import Measured as Measured
    from agents.lab.background.measurement_jobs import MeasurementJobs as MeasurementJobs
    from agents.lab.data.data_set import SPLITS as SPLITS
    from agents.lab.data.data_set import DataSet as DataSet
    from agents.lab.data.data_set import Problem as Problem
    from agents.lab.data.data_set import Split as Split
    from agents.lab.data.first_rows import FirstRows as FirstRows
    from agents.lab.data.first_rows import first_rows as first_rows
    from agents.lab.data.spec import open_data as open_data
    from agents.lab.data.tables.columns import Fields as Fields
    from agents.lab.data.tables.columns import columns_in as columns_in
    from agents.lab.description.arms import PlaybookSource as PlaybookSource
    from agents.lab.description.lab_description import LabDescription as LabDescription
    from agents.lab.description.lab_description import Limits as Limits
    from agents.lab.description.lab_description import read_description as read_description
    from agents.lab.effects.asked_question import AsJudged as AsJudged
    from agents.lab.effects.asked_question import AskedQuestion as AskedQuestion
    from agents.lab.effects.asked_question import asked_question as asked_question
    from agents.lab.effects.measure import measure as measure
    from agents.lab.effects.measurements import Measurements as Measurements
    from agents.lab.effects.plan import MeasuredEffect as MeasuredEffect
    from agents.lab.effects.plan import Measurement as Measurement
    from agents.lab.effects.plan import Plan as Plan
    from agents.lab.lab import Lab as Lab
    from agents.lab.lab import Parts as Parts
    from agents.lab.lab import RunInfo as RunInfo
    from agents.lab.lab import lab_folder as lab_folder
    from agents.lab.plan.estimate import Estimate as Estimate
    from agents.lab.plan.estimate import estimate as estimate
    from agents.lab.poison import Infection as Infection
    from agents.lab.poison import heal as heal
    from agents.lab.poison import infection_of as infection_of
    from agents.lab.poison import texts_in as texts_in
    from agents.lab.reports.arm_styles import arm_style as arm_style
    from agents.lab.reports.export import export_run as export_run
    from agents.lab.reports.page import report_page as report_page
    from agents.lab.reports.rows import CLOSED_WORLD as CLOSED_WORLD
    from agents.lab.reports.rows import arm_row as arm_row
    from agents.lab.reports.rows import difference_row as difference_row
    from agents.lab.reports.rows import report_rows as report_rows
    from agents.lab.reports.rows import simulation_note as simulation_note
    from agents.lab.results.comparison import Comparison as Comparison
    from agents.lab.results.comparison import corrected as corrected
    from agents.lab.results.lab_run import STATUS_WORDS as STATUS_WORDS
    from agents.lab.results.lab_run import ArmSummary as ArmSummary
    from agents.lab.results.lab_run import LabRun as LabRun
    from agents.lab.results.lab_run import Point as Point
    from agents.lab.sample import Sample as Sample
    from agents.lab.scorer import Score as Score
    from agents.lab.scorer import Scorer as Scorer
    from agents.lab.scorers.spec import make_scorer as make_scorer
    from agents.lab.scorers.suggestion import suggested_scorer as suggested_scorer
    from agents.lab.statistics import Interval as Interval
    from agents.lab.statistics import auc as auc
    from agents.lab.statistics import holm as holm
    from agents.lab.statistics import paired_difference as paired_difference
    from agents.lab.statistics import wilson as wilson
    from agents.lab.task import Outcome as Outcome
    from agents.lab.task import Said as Said
    from agents.lab.task import Task as Task
    from agents.lab.task import Usage as Usage
    from agents.lab.work.cluster.executor import RayExecutor as RayExecutor
    from agents.lab.work.worker import run_sample as run_sample
    from agents.pipelines.ace.simulation.rewriter import REWRITING_RULE as REWRITING_RULE
    from agents.storage.lab.result import Result as Result
    from agents.storage.lab.result import Standing as Standing

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
