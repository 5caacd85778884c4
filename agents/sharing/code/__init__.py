"""A session as a Python file: on this project's API, and on google-adk's where the pipeline has what ADK has."""
