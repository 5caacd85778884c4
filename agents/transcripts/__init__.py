"""Sessions of coding agents: read as sessions of the playground, and what they teach."""

# pyright: reportUnusedImport=false
from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.transcripts.atif.writer import to_atif
    from agents.transcripts.importing import (
        ImportedTranscript,
        import_folder,
        import_transcript,
        is_transcript,
        transcript_files,
    )
    from agents.transcripts.learning import (
        EXAMPLE,
        Trial,
        keep_passed,
        learned_skill,
        passed_playbook,
        places_in,
        read_places,
        try_lessons,
    )
    from agents.transcripts.lessons import Lesson, Place, answer_of, lessons_of, question_of, samples_of
    from agents.transcripts.reading import FORMATS, Transcript, may_be_transcript, read_transcript
    from agents.transcripts.repairs import RULES, Repair, find_repairs

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
