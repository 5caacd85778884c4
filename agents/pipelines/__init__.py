"""The pipelines that come with the playground, one package each, and the catalog that finds them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.pipeline import Break as Break
    from agents.pipeline import Card as Card
    from agents.pipeline import Control as Control
    from agents.pipeline import Highlight as Highlight
    from agents.pipeline import Observation as Observation
    from agents.pipeline import Pipeline as Pipeline
    from agents.pipeline import all_agents as all_agents
    from agents.pipeline import asks_run_model as asks_run_model
    from agents.pipeline import describe_tree as describe_tree
    from agents.pipeline import kind_of as kind_of
    from agents.pipeline import truth_key as truth_key
    from agents.pipelines.ace.families import FREE_FAMILY as FREE_FAMILY
    from agents.pipelines.ace.families import Question as Question
    from agents.pipelines.ace.families import as_message as as_message
    from agents.pipelines.ace.families import draw_questions as draw_questions
    from agents.pipelines.ace.families import is_right as is_right
    from agents.pipelines.ace.families import made_wrong as made_wrong
    from agents.pipelines.ace.families import rubric_score as rubric_score
    from agents.pipelines.catalog import BUILT_IN as BUILT_IN
    from agents.pipelines.catalog import CODING_SESSION as CODING_SESSION
    from agents.pipelines.catalog import Catalog as Catalog
    from agents.pipelines.library.stand_in import LibrarySearch as LibrarySearch
    from agents.pipelines.loading.agents_folder import AgentsFolder as AgentsFolder
    from agents.pipelines.loading.failure import LoadFailure as LoadFailure
    from agents.pipelines.loading.loader import load_built_in as load_built_in
    from agents.pipelines.markdown import escape_markdown as escape_markdown
    from agents.runtime.fault import EVERY_CALL as EVERY_CALL
    from agents.runtime.fault import EVERYBODY as EVERYBODY
    from agents.runtime.fault import FAULT_KINDS as FAULT_KINDS
    from agents.runtime.fault import USUAL_DELAY as USUAL_DELAY
    from agents.runtime.fault import Fault as Fault

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
