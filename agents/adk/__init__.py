"""ADK's names: `google.adk` and its modules, as packages of the user import them, resolve to this runtime.

Their imports are rewritten when they are loaded (`rewritten_imports`), so that nothing outside of them changes: a google-adk
that is installed stays what it is. `google.adk.agents` becomes `agents.adk.google_adk.agents`, a module that `modules` makes
and that has each name of `names`.
"""

from agents.adk import modules
from agents.adk.names import ADK
from agents.adk.rewritten_imports import mentions_adk, rewritten

__all__ = ["ADK", "mentions_adk", "rewritten"]

modules.install()
