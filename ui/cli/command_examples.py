"""Examples and notes that the command line shows below its options."""

from __future__ import annotations

COMMANDS = """\
examples:
  playground                                          open the app in the browser
  playground --port 9000 --no-browser --db demo.db    serve it on another port, with sessions in demo.db
  playground pipelines                                what can be run
  playground run iterative_writing "a lighthouse"     run it here
  playground run iterative_writing - < topic.txt      the same, with the message from a file
  playground run my_agent "hello" --agents ./mine     a pipeline of your own
  playground sessions                                 what was run
  playground pending                                  what waits for you
  playground export 3f2a… --format html -o it.html    a session as a page that replays it
  playground code 3f2a…                               a session as a Python file that runs it again
  playground trace 3f2a…                              a session as OpenTelemetry spans: shown, sent or in a file
  playground models                                   what can answer: simulated, with a key, from a file or a server
  playground check                                    run the cases: sessions that were right, kept as tests
  playground lab run formulas.toml                    measure what a playbook is worth
  playground demo ace                                 a guided run to step through in the browser
  playground demo learn                               watch the share of right answers climb
  playground demo collapse                            a lab run to step through; also world, poison, race
"""

RUN = """\
examples:
  playground run iterative_writing "a lighthouse keeper"
  playground run iterative_writing "shorter" --session 3f2a…            continue a session
  playground run status_poller "watch" --state count=3 --state 'place="Oslo"'
  playground run iterative_writing "the sea" --fault CriticAgent:fail_before:2
  playground run iterative_writing "the sea" --json | tail -n 1         status, calls and tokens
  playground run iterative_writing "the sea" --model local/qwen2.5-coder-1.5b-instruct --agent-model CriticAgent=simulated

--fault takes TARGET:KIND or TARGET:KIND:CALL. TARGET is an agent, a model or * for all. KIND is fail_before, fail_after,
delay, malformed_json, unknown_tool or refuse. CALL counts the target's model calls from 1; 0 is every one. A delay may
have seconds: Writer:delay:1:5.

exit code: 0 the run completed · 1 it failed or was stopped · 2 bad input · 3 it waits for an answer · 130 Ctrl-C
"""

ANSWER = """\
examples:
  playground answer 3f2a… adk-91c0… --approve
  playground answer 3f2a… adk-91c0… --approve --args '{"amount": 80}'    approve it with other arguments
  playground answer 3f2a… adk-91c0… --reject "too much"
  playground answer 3f2a… 77d1… --choose 2                               the second of the options that are offered
  playground answer 3f2a… 77d1… --response '{"result": "granted"}'       the result of a tool that takes its time

exit code: as for `playground run`
"""

MODELS = """\
examples:
  playground models                                    what can answer now, and what only lacks a key or a file
  playground models --json | head -n 1                 the same, one JSON object a line
  playground models pull qwen2.5-coder-1.5b-instruct   fetch a model file (1.1 GB); again after Ctrl-C: go on
  playground models pull OWNER/REPOSITORY/FILE.gguf    any other one of a public repository on the model hub

Files are kept in the models folder (PLAYGROUND_MODELS, or the user data folder) and run inside the playground, which needs
the extra: uv run --extra local playground. A mirror of the hub is named by HF_ENDPOINT. No key is sent.
"""

DEMO = """\
examples:
  playground demo ace                                 step through it in the browser
  playground demo learn                               watch it learn: sixty questions, right and wrong
  playground demo ace --port 9000 --db demo.db        on another port, with its sessions and playbook in demo.db
  playground demo ace --figures                       no browser: what is learned over a stream of questions
  playground demo ace --figures --seed 7 --queries 60
  playground demo collapse                            a text that is rewritten as a whole, beside single changes
  playground demo world                               a rule changes, and a bullet becomes wrong
  playground demo poison                              a false answer, what it touched, and one undo
  playground demo race                                one worker, sixteen, and sixteen that overwrite each other
  playground demo race --figures                      no browser: what that run comes to

Each start has a new, empty playbook ("demo 1" or "learning 1", then 2 …), or a new lab run ("demo collapse", then
"demo collapse-2" …; a run that was cut off goes on). Nothing of yours is touched, and nothing of it is deleted.
"""

TRACE = """\
examples:
  playground trace 3f2a…                                      show the spans as a tree; nothing is sent
  playground trace 3f2a… --endpoint http://localhost:4318     send them to a collector, by OTLP over HTTP
  playground trace 3f2a… --send                               send them where OTEL_EXPORTER_OTLP_ENDPOINT says
  playground trace 3f2a… --file trace.json                    write them as OTLP JSON; "-" is standard output
  playground trace 3f2a… --send --content                     with messages, instructions, arguments and results

Sending needs the extra: uv run --extra otel playground trace … A run that is sent again has the same ids. To send each run
when it ends, set PLAYGROUND_OTEL to "on", or to "content".
"""

CHECK = """\
examples:
  playground check                                    the cases of this playground
  playground check --agents ./mine                    those in ./mine/cases
  playground check cases --model local/qwen2.5-coder-1.5b-instruct --repeat 5
  playground check cases --junit results.xml          for a build server

A run that does not hold is kept as a session; the command below it opens it at the first event that differs.

exit code: 0 all hold · 1 one does not, or a file cannot be read · 2 bad input
"""
