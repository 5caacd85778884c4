"""How code refinement is presented."""

from __future__ import annotations

from agents.pipeline import Break, Card, Control, Highlight
from agents.pipelines.code_refinement.simulation import SIMULATION
from agents.runtime.fault import Fault

LESSON = """\
**What.** A writer writes a function. Then a loop: a *checker* looks for what is wrong, a *refiner* mends it. The checker
is no model but a class that subclasses `BaseAgent`. It compiles the code and looks at its syntax tree: undefined names,
unused imports, a missing docstring, a default that all calls share, a way out without a result, too many branches. It
never runs the code. When it finds nothing, it escalates, and the loop is over.

**When.** A program can tell good from bad: code, queries, configuration, anything with a grammar, a schema or tests. A
checker that cannot be persuaded makes a better critic than a second model, and its findings, with line numbers, make a
better prompt than "try again".

**When not.** What matters cannot be checked that way. Code that passes here is tidy; whether it computes the right thing
is another question. And do not run a stranger's code to find out: that takes a sandbox, not a tool.

**What to look for**

- `CodeChecker` has no model call in *Timeline*; it takes a millisecond.
- A syntax error comes alone: where there is no tree, there is nothing else to look at. Mend it, and more is found.
- The refiner is told to mend two findings and leave the rest. Small steps are easier to check.
- `code` in *State* is written by the writer once and by the refiner after, `findings` by the checker. They share no more.
- After the loop, `LastCheck` says how the code stands. A loop that ended by its limit has not passed.

**Try**

- Code of your own, in a fenced block: *Mend this:* and the code.
- A name: *a function called `middle` for the median*.
- *Quicksort*. The writer knows one way to sort, an insertion sort. It does not pass that off as another algorithm; see how
  an honest outline fares.

The simulated writer knows a few dozen small functions and leaves flaws in them, drawn from the request; its refiner mends
what the findings name. The checker is real.
"""

card = Card(
    title="Code refinement",
    pattern="Iterative refinement with a real checker",
    summary="A writer writes a function; a checker that never runs it and a refiner take turns until nothing is found.",
    lesson=LESSON,
    samples=(
        "Write a function for the mean of a list of numbers",
        "A function clamp(value, low, high)",
        "Count how often each word is in a text",
        "Is a number prime?",
    ),
    ends_when="The checker finds nothing, or after 5 passes; then a last check says what is left.",
    message_key="request",
    simulation=SIMULATION,
    controls=(
        Control(
            key="most_branches",
            label="Branches in a function",
            kind="number",
            default=8,
            minimum=1,
            maximum=20,
            help="The checker finds fault with a function that has more conditions, loops and the like.",
        ),
    ),
    breaks=(
        Break(
            title="A rule that cannot be met",
            look_for=(
                "One branch at most, and the function needs two. The refiner mends everything else and then nothing, until "
                "the five passes are over; the last check names what is left. A criterion nobody can meet costs the limit."
            ),
            message="Is a number prime?",
            settings={"most_branches": 1},
        ),
        Break(
            title="The refiner's first answer is broken",
            look_for=(
                "Half an answer lands in the state. The checker sees it at once, since it does not compile, and the next "
                "pass mends it. Nobody had to foresee this: a check after every step covers what went wrong in it."
            ),
            faults=(Fault(kind="malformed_json", target="CodeRefiner", call=1),),
        ),
        Break(
            title="The writer refuses",
            look_for=(
                "There is no code, and that is a finding like any other: the refiner writes it. The loop does not ask who "
                "wrote what, only whether it passes."
            ),
            faults=(Fault(kind="refuse", target="CodeWriter", call=1),),
        ),
        Break(
            title="Ask for what it cannot write",
            look_for=(
                "The outline compiles and says honestly that it does nothing, and the checker says so, too. Five passes "
                "later it still does: a loop cannot make a model know more."
            ),
            message="Write a function fold_protein(sequence)",
        ),
    ),
    highlights=(
        Highlight(
            text="findings = check(",
            note="The whole check: it parses, compiles and looks. Nothing that a model wrote is ever run.",
        ),
        Highlight(
            text="actions=EventActions(escalate=not findings,",
            note="No finding ends the loop; the findings go into state, where the refiner reads them.",
        ),
        Highlight(
            text="sub_agents=[CodeChecker(), refiner],",
            note="The checker comes first: a version that is good at once is not touched.",
        ),
        Highlight(
            text='sub_agents=[writer, refinement_loop, CodeChecker(name="LastCheck"',
            note="The same class once more, because the refiner's last version has not been checked in the loop.",
        ),
    ),
)
