"""The paragraph that tells a model which agent it is: its name and its description, in the words of ADK for Python.

It stands before the instruction. It is not a template: braces, quotation marks and line breaks in a description are sent as
they are.
"""

from __future__ import annotations

_BEGIN = 'You are an agent. Your internal name is "'
_DESCRIBED = ' The description about you is "'
_END = '".'
_BETWEEN = "\n\n"


def introduced(name: str, description: str, instruction: str) -> str:
    """An instruction with the identity of its agent before it.

    Args:
        name: The agent's name.
        description: What the agent is for; an empty one is left out.
        instruction: What the agent is to do, templates filled; may be empty.
    """
    about = f"{_DESCRIBED}{description}{_END}" if description else ""
    after = f"{_BETWEEN}{instruction}" if instruction else ""
    return f"{_BEGIN}{name}{_END}{about}{after}"


def is_introduced(instruction: str) -> bool:
    """Whether an instruction begins with an identity."""
    return instruction.startswith(_BEGIN)


def without_identity(instruction: str) -> str:
    """An instruction without the identity before it; as it is, if there is none.

    The identity ends with the first paragraph that ends as one does: a description is free text.
    """
    return instruction.partition(_END + _BETWEEN)[2] if is_introduced(instruction) else instruction
