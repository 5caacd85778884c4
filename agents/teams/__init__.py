"""Teams of agents that are written as files, in ADK's form: one YAML file an agent, beginning with `root_agent.yaml`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.teams.adk_form import not_in_adk as not_in_adk
    from agents.teams.copying import team_of as team_of
    from agents.teams.edit import AgentNode as AgentNode
    from agents.teams.edit import add_agent as add_agent
    from agents.teams.edit import edges_of as edges_of
    from agents.teams.edit import move_agent as move_agent
    from agents.teams.edit import outline as outline
    from agents.teams.edit import remove_agent as remove_agent
    from agents.teams.edit import rename_agent as rename_agent
    from agents.teams.edit import set_edges as set_edges
    from agents.teams.edit import set_field as set_field
    from agents.teams.edit import wrap_agent as wrap_agent
    from agents.teams.graphs.nodes import ChoiceNode as ChoiceNode
    from agents.teams.graphs.nodes import QuestionNode as QuestionNode
    from agents.teams.starts import STARTS as STARTS
    from agents.teams.starts import Start as Start
    from agents.teams.store import TEAMS_FOLDER as TEAMS_FOLDER
    from agents.teams.store import TeamDraft as TeamDraft
    from agents.teams.store import TeamStore as TeamStore
    from agents.teams.stored.revisions import TeamRevision as TeamRevision
    from agents.teams.team import TOOLS as TOOLS
    from agents.teams.yaml_text import YamlError as YamlError
    from agents.teams.yaml_text import read_yaml as read_yaml

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
