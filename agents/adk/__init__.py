"""ADK's names: `google.adk` and its modules, as packages of the user import them, stand for this runtime.

Their imports are rewritten when they are loaded (`rewritten_imports`), so that nothing outside of them changes: a google-adk
that is installed stays what it is. `google.adk.agents` becomes `agents.adk.google_adk.agents`, a module that `modules` makes
and that has each name of `names`.
"""
