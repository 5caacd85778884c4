"""The official Formula split, asked without its formulas: `python -m tests.agents.lab.data.official FOLDER [OUT]`.

FOLDER has the files of the official ACE repository, `formula_train….jsonl`, `formula_val….jsonl` and `formula_test….jsonl`,
with rows `{"context": …, "target": …}`. A context prints a formula and then asks a question that needs it; the official code
asks the question alone, and so does this. Nothing is fetched. The report is printed, and the run stays in OUT.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from tempfile import mkdtemp

from ui.cli.main import main

FILES = {"train": "formula_train*.jsonl", "validation": "formula_val*.jsonl", "test": "formula_test*.jsonl"}
RUN = """
name = "formula"
data.files = { train = "train.jsonl", validation = "validation.jsonl", test = "test.jsonl" }
data.columns = { labels = ["formula"] }
split = "test"
scorer = { kind = "number" }
keep = "none"
arms = [
    { kind = "none" },
    { kind = "online" },
    { kind = "offline", epochs = 1 },
    { kind = "offline", name = "shuffled truth", epochs = 1, shuffled_truth = true },
    { kind = "rewriting", name = "keeps all", keep_all = true },
]
"""
_FORM = "Answer with a plain number, rounded to two decimals, with thousands and millions written out in digits."
_ASKED = re.compile(r"Question: (.*?)\. Answer:", re.DOTALL)
_NAME = re.compile(r"Use formula (.{1,200}?) to answer", re.DOTALL)
_QUOTES = '"“”'


def asked(row: dict[str, str]) -> dict[str, str]:
    """A row as it is asked. A context in another form is asked as a whole, as the official code does."""
    found, name = _ASKED.search(row["context"]), _NAME.search(row["context"])
    question = f"{found[1].strip().strip(_QUOTES)} {_FORM}" if found else row["context"]
    return {"question": question, "answer": row["target"], "formula": name[1] if name else "none"}


def write(folder: Path, out: Path) -> Path:
    """Writes the rows of a folder as they are asked, and the description of a run with them.

    Raises:
        SystemExit: A file of a split is missing, or there are several.
    """
    out.mkdir(parents=True, exist_ok=True)
    for split, pattern in FILES.items():
        files = sorted(folder.glob(pattern))
        if len(files) != 1:
            sys.exit(f"{folder} has {len(files)} files {pattern}; one is needed. Copy the official files there.")
        rows = [asked(json.loads(line)) for line in files[0].read_text(encoding="utf-8").splitlines() if line.strip()]
        text = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
        (out / f"{split}.jsonl").write_text(text, encoding="utf-8")
    (out / "formula.toml").write_text(RUN, encoding="utf-8")
    return out / "formula.toml"


if __name__ == "__main__":
    place = Path(sys.argv[2] if len(sys.argv) > 2 else mkdtemp(prefix="formula-"))
    sys.exit(main(["lab", "run", str(write(Path(sys.argv[1]), place)), "--db", str(place / "play.db")]))
