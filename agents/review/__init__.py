"""What is wrong with a team of agents, before it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.review.all_rules import RULES as RULES
    from agents.review.all_rules import review as review
    from agents.review.all_rules import review_pipeline as review_pipeline
    from agents.review.finding import Finding as Finding
    from agents.review.finding import Fix as Fix
    from agents.review.finding import Rule as Rule
    from agents.review.fixes import apply_fix as apply_fix
    from agents.review.fixes import fix_folder as fix_folder
    from agents.review.safeguards import without_safeguard as without_safeguard

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
