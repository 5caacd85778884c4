"""What the framework itself costs, beside google-adk in the same run: `python -m tests.benchmarks`.

Each side works in a process and an environment of its own and is given the same work in turns. CPU time is that of the
process, so that what else the machine does counts as little as possible; every figure is a median of several rounds.
"""
