"""How the banana painter is presented."""

from __future__ import annotations

from agents.pipeline import Card
from agents.pipelines.banana_painter.simulation import SIMULATION

LESSON = """\
**What.** A painter and a checker work in a `LoopAgent`. The painter has a tool that paints, and its hand is not steady:
there may be more or fewer bananas than asked for. The checker has a tool that counts them *in the picture*, by its
pixels. When the count is right it calls `exit_loop`; otherwise the painter tries again, at most six times.

**When.** An answer can be checked by a program: code by its tests, a query by its result, a picture by what can be
measured in it. A tool that measures is worth more than a second opinion.

**When not.** The checker would only ask the same model whether it likes its own work. Or each attempt costs more than
being a little wrong.

**What to look for**

- Every agent's turn is think → act → observe: a tool call, its response, then a sentence about it.
- The response of `paint_bananas` carries an image; the number painted is not in it. Count for yourself before the
  checker does.
- In *State*, `attempt` rises, `current_image` is replaced, and `finding` is what the painter reads in the next pass.
- Later attempts miss by less. They may still miss, and then the loop ends after six passes with a wrong picture. A loop's
  limit is a promise about cost, not about success.

**Try**

- The same request again in the same session: the hand slips differently.
- No number, a number word, a number that does not fit. The tool refuses, and the painter reads the refusal.
- Start a session with the state `unsteadiness` at 0 (always right at once) or 9 (seldom right at all); or with another
  `seed`.

The simulated models read the number in your message and the results of their tools. The painting and the counting are
real.
"""

card = Card(
    title="Banana painter",
    pattern="Generate and check",
    summary="A painter with an unsteady hand paints bananas; a checker counts them in the picture.",
    lesson=LESSON,
    samples=("a plate with seven bananas", "12", "three bananas, please", "as many bananas as you like"),
    ends_when="The number counted in the picture is the number asked for, or after 6 passes.",
    message_key="request",
    start_state={"seed": 1, "unsteadiness": 3},
    simulation=SIMULATION,
)
