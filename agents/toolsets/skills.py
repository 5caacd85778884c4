"""Skills: folders with a SKILL.md, which a model reads when it needs them. Their scripts are read, never run."""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from itertools import islice
from pathlib import Path
from typing import Any

from google.genai import types
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agents.errors import ToolError, known
from agents.model import LlmRequest
from agents.runtime.context import ReadonlyContext, ToolContext
from agents.storage.given_file import decoded, read_given
from agents.tool import BaseTool, BaseToolset, ToolPredicate
from agents.tools.function import FunctionTool
from agents.toolsets.given_data import read_mapping

MOST_FILES = 1_000
"""Of a skill, its folders counted."""
MOST_BYTES = 16 * 1024 * 1024
"""Of all files of a skill together."""
LONGEST = 200_000
"""Bytes of a SKILL.md, and characters of a file that a model is given; the rest of a file is left out."""

_ACTIVATED = "_adk_activated_skill_"
_FOLDERS = ("references", "assets", "scripts")
_HEAD = re.compile(r"^---[ \t]*$", re.MULTILINE)
_INSTRUCTION = (
    "You have skills: instructions for tasks of one kind, with files that belong to them. {known} If a skill fits the "
    "request, call {load} first and follow its instructions to the end before you answer. {read} reads a file of a skill. "
    "Scripts cannot be run: read one, and do yourself what it does. If a file is not there, do not guess another path."
)


class Frontmatter(BaseModel):
    """The head of a SKILL.md.

    Attributes:
        name: At most 64 lower-case letters, digits and single hyphens; the folder's name.
        description: What the skill does and when to use it; at most 1,024 characters.
        license: Its licence.
        compatibility: What it needs.
        allowed_tools: Names of tools that it uses, separated by spaces.
        metadata: Anything else; "adk_additional_tools" lists tools of the toolset that are offered once it was loaded.
    """

    model_config = ConfigDict(extra="allow", validate_by_name=True, validate_by_alias=True)

    name: str = Field(max_length=64, pattern=re.compile(r"^[a-z0-9]+(?:[-_][a-z0-9]+)*\Z"))
    description: str = Field(min_length=1, max_length=1024)
    license: str | None = None
    compatibility: str | None = Field(default=None, max_length=500)
    allowed_tools: str | None = Field(default=None, alias="allowed-tools")
    metadata: dict[str, Any] = Field(default_factory=dict)


class Script(BaseModel):
    """The source of a script."""

    src: str


class Resources(BaseModel):
    """The files of a skill, by their paths in its folders `references`, `assets` and `scripts`."""

    references: dict[str, str | bytes] = Field(default_factory=dict)
    assets: dict[str, str | bytes] = Field(default_factory=dict)
    scripts: dict[str, Script] = Field(default_factory=dict)

    def files(self) -> dict[str, str | bytes]:
        """All files, by their paths in the skill's folder."""
        scripts = {path: script.src for path, script in self.scripts.items()}
        groups: list[dict[str, str | bytes]] = [self.references, self.assets, {**scripts}]
        return {
            f"{folder}/{path}": text for folder, group in zip(_FOLDERS, groups, strict=True) for path, text in group.items()
        }


class Skill(BaseModel):
    """A skill.

    Attributes:
        frontmatter: Its name and what it is for.
        instructions: The text of its SKILL.md.
        resources: Its files.
    """

    frontmatter: Frontmatter
    instructions: str
    resources: Resources = Field(default_factory=Resources)

    @property
    def name(self) -> str:
        """Its name."""
        return self.frontmatter.name

    @property
    def description(self) -> str:
        """What it does and when to use it."""
        return self.frontmatter.description


def load_skill_from_dir(skill_dir: str | Path) -> Skill:
    """The skill in a folder, read now.

    Raises:
        FileNotFoundError: There is no SKILL.md.
        ToolError: The SKILL.md is not valid, a file is outside of the folder, or the files are too many or too large.
    """
    folder = Path(skill_dir).resolve()
    head = next((path for name in ("SKILL.md", "skill.md") if (path := folder / name).is_file()), None)
    if head is None:
        raise FileNotFoundError(f"There is no SKILL.md in {folder}.")
    _check_inside(head, folder)
    what = f"The SKILL.md of {folder.name}"
    try:
        text = decoded(read_given(head, most=LONGEST)).replace("\r\n", "\n")
    except OSError as error:
        raise ToolError(f"{what}: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise ToolError(f"{what} is no text in UTF-8, UTF-16 or Windows-1252. Save it as UTF-8.") from None
    before, *parts = _HEAD.split(text, maxsplit=2)
    if before.strip() or len(parts) < 2:  # noqa: PLR2004  the head and the text
        raise ToolError(f"{what} must begin with a head between two lines `---`, with `name` and `description`.")
    try:
        frontmatter = Frontmatter.model_validate(read_mapping(parts[0], f"The head of the{what[3:]}"))
    except ValidationError as error:
        first = error.errors()[0]
        raise ToolError(f"{what} is not valid: {'.'.join(map(str, first['loc']))}: {first['msg']}.") from None
    if frontmatter.name != folder.name:
        raise ToolError(f"{what} names the skill {frontmatter.name!r}. Give the skill and its folder the same name.")
    files = dict(_files_in(folder))
    groups = {name: {path: text for (at, path), text in files.items() if at == name} for name in _FOLDERS}
    scripts = {path: Script(src=text) for path, text in groups["scripts"].items() if isinstance(text, str)}
    resources = Resources(references=groups["references"], assets=groups["assets"], scripts=scripts)
    return Skill(frontmatter=frontmatter, instructions=parts[1].strip(), resources=resources)


def load_skills_from_dir(skills_dir: str | Path) -> list[Skill]:
    """The skills in the folders of a folder, those without a SKILL.md left out.

    Raises:
        FileNotFoundError: There is no such folder.
        ToolError: As for `load_skill_from_dir`.
    """
    folders = sorted(head.parent for head in Path(skills_dir).resolve(strict=True).glob("*/[sS][kK][iI][lL][lL].md"))
    return [load_skill_from_dir(folder) for folder in folders]


def _files_in(folder: Path) -> Iterator[tuple[tuple[str, str], str | bytes]]:
    """The skill's files by folder and path: text in UTF-8, else bytes."""
    places, left = MOST_FILES, MOST_BYTES
    for name in _FOLDERS:
        _check_inside(folder / name, folder)
        found = list(islice((folder / name).rglob("*"), places + 1))
        if (places := places - len(found)) < 0:
            raise ToolError(f"The skill {folder.name} has more than {MOST_FILES:,} files.")
        for path in sorted(found):
            if "__pycache__" in path.parts or not path.is_file():
                continue
            _check_inside(path, folder)
            try:
                content = read_given(path, most=left)
            except OSError as error:
                raise ToolError(f"{path.relative_to(folder)} of the skill {folder.name}: {error.strerror}.") from None
            left -= len(content)
            try:
                yield (name, path.relative_to(folder / name).as_posix()), content.decode()
            except UnicodeDecodeError:
                yield (name, path.relative_to(folder / name).as_posix()), content


def _check_inside(path: Path, folder: Path) -> None:
    if not path.resolve().is_relative_to(folder):
        raise ToolError(f"{path.relative_to(folder)} of the skill {folder.name} is a link that leads out of its folder.")


class SkillDiscoveryMode(Enum):
    """How a model gets to know the skills: by the tool `list_skills`, or from its instruction."""

    LAZY = "lazy"
    EAGER = "eager"


class SkillToolset(BaseToolset):
    """Gives a model skills: `list_skills`, `load_skill` and `load_skill_resource`. Scripts are never run.

    Args:
        skills: The skills.
        skills_folder: A folder with more, see `load_skills_from_dir`.
        code_executor: Has no effect, like the two that follow.
        script_timeout: See there.
        save_output_artifacts: See there.
        additional_tools: Functions and tools that a skill may name in its metadata, as "adk_additional_tools".
        tool_name_prefix: See `BaseToolset`.
        tool_filter: See `BaseToolset`.
        discovery_mode: How the model gets to know the skills.

    Raises:
        ValueError: Two skills have the same name.
    """

    def __init__(
        self,
        skills: Sequence[Skill] | None = None,
        *,
        skills_folder: str | Path | None = None,
        code_executor: object = None,
        script_timeout: float = 300,
        save_output_artifacts: bool = False,
        additional_tools: Sequence[Callable[..., Any] | BaseTool] | None = None,
        tool_name_prefix: str | None = None,
        tool_filter: ToolPredicate | list[str] | None = None,
        discovery_mode: SkillDiscoveryMode = SkillDiscoveryMode.LAZY,
    ) -> None:
        super().__init__(tool_filter=tool_filter, tool_name_prefix=tool_name_prefix)
        self.skills: dict[str, Skill] = {}
        for skill in (*(skills or ()), *(load_skills_from_dir(skills_folder) if skills_folder else ())):
            if skill.name in self.skills:
                raise ValueError(f"There are two skills called {skill.name!r}.")
            self.skills[skill.name] = skill
        more = [tool if isinstance(tool, BaseTool) else FunctionTool(tool) for tool in additional_tools or ()]
        self._more = {tool.name: tool for tool in more}
        first = [] if discovery_mode is SkillDiscoveryMode.EAGER else [FunctionTool(self.list_skills)]
        loading = _LoadSkill(self, is_told=discovery_mode is SkillDiscoveryMode.EAGER)
        self._own: list[BaseTool] = [*first, loading, FunctionTool(self.load_skill_resource)]

    @property
    def known_tools(self) -> Sequence[BaseTool]:
        """See `BaseToolset`."""
        return [tool for tool in (*self._own, *self._more.values()) if self._is_tool_selected(tool, None)]

    async def get_tools(self, readonly_context: ReadonlyContext | None = None) -> Sequence[BaseTool]:
        """The skills' tools, and those of `additional_tools` that a loaded skill names."""
        loaded = () if readonly_context is None else readonly_context.state.get(self._key(readonly_context), ())
        named = [name for one in loaded if one in self.skills for name in _tools_named(self.skills[one])]
        more = [self._more[name] for name in dict.fromkeys(named) if name in self._more]
        return [tool for tool in (*self._own, *more) if self._is_tool_selected(tool, readonly_context)]

    def list_skills(self) -> dict[str, Any]:
        """Lists the skills with what they are for."""
        return {"skills": [{"name": skill.name, "description": skill.description} for skill in self.skills.values()]}

    def load_skill(self, skill_name: str, tool_context: ToolContext) -> dict[str, Any]:
        """Loads the instructions of a skill.

        Args:
            skill_name: The skill.
            tool_context: Remembers that it was loaded.
        """
        if (skill := self.skills.get(skill_name)) is None:
            return _error(f"There is no skill {skill_name!r}. The skills are: {known(self.skills)}.", "SKILL_NOT_FOUND")
        loaded: list[str] = tool_context.state.get(self._key(tool_context), [])
        if skill_name not in loaded:
            tool_context.state[self._key(tool_context)] = [*loaded, skill_name]
        return {
            "skill_name": skill_name,
            "instructions": skill.instructions,
            "frontmatter": skill.frontmatter.model_dump(mode="json", exclude_none=True),
            "files": list(skill.resources.files()),
        }

    def load_skill_resource(self, skill_name: str, file_path: str) -> dict[str, Any]:
        """Loads a file of a skill.

        Args:
            skill_name: The skill.
            file_path: Its path, such as references/guide.md.
        """
        if (skill := self.skills.get(skill_name)) is None:
            return _error(f"There is no skill {skill_name!r}. The skills are: {known(self.skills)}.", "SKILL_NOT_FOUND")
        files = skill.resources.files()
        if (content := files.get(file_path)) is None:
            return _error(f"{skill_name} has no file {file_path!r}. Its files are: {known(files)}.", "RESOURCE_NOT_FOUND")
        if isinstance(content, str):
            cut = (
                {"cut": f"The file has {len(content):,} characters; this is its beginning."}
                if len(content) > LONGEST
                else {}
            )
            return {"skill_name": skill_name, "file_path": file_path, "content": content[:LONGEST], **cut}
        kind = mimetypes.guess_type(file_path)[0] or "application/octet-stream"
        blob = types.Blob(data=content, mime_type=kind, display_name=file_path)
        return {"skill_name": skill_name, "file_path": file_path, "content": types.Part(inline_data=blob)}

    def _key(self, context: ReadonlyContext) -> str:
        return f"{_ACTIVATED}{context.agent_name}"


class _LoadSkill(FunctionTool):
    """`load_skill`, which also tells the model what skills are."""

    def __init__(self, toolset: SkillToolset, *, is_told: bool) -> None:
        super().__init__(toolset.load_skill)
        self._toolset = toolset
        self._is_told = is_told

    async def process_llm_request(self, *, tool_context: ToolContext, llm_request: LlmRequest) -> None:
        """Adds the tool, and an instruction."""
        await super().process_llm_request(tool_context=tool_context, llm_request=llm_request)
        load = self.name
        prefix = load.removesuffix("load_skill")
        skills = "\n".join(f"- {skill.name}: {skill.description}" for skill in self._toolset.skills.values())
        told = f"They are:\n{skills}\n" if self._is_told else f"{prefix}list_skills lists them."
        text = _INSTRUCTION.format(known=told, load=load, read=f"{prefix}load_skill_resource")
        llm_request.append_instructions([text])


def _tools_named(skill: Skill) -> list[str]:
    named = skill.frontmatter.metadata.get("adk_additional_tools")
    return [str(name) for name in named] if isinstance(named, list) else []  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def _error(text: str, code: str) -> dict[str, Any]:
    return {"error": text, "error_code": code}
