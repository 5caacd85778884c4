"""Files of a chat message: what goes to the model, what is refused, and that the log keeps the bytes."""

from __future__ import annotations

import pytest

from agents import MessageError
from agents.runs import MAX_FILE_BYTES, MAX_FILES, RunManager
from tests.ui.stage import finish, page, said, sound
from ui.playground import attached_files

PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(range(256))


class File:
    """An uploaded file, as far as it is read."""

    file_id = "1"

    def __init__(self, name: str, content: bytes) -> None:
        self.name, self.size, self._content = name, len(content), content

    def getvalue(self) -> bytes:
        return self._content


def read(text: str, *files: File, model: str = "gemini-flash-latest"):
    return attached_files.read(text, files, model)  # pyright: ignore[reportArgumentType]


def test_a_picture_goes_as_it_is_with_its_name():
    text, [part] = read("What is it?", File("photo.PNG", PICTURE))
    assert text == "What is it?"
    assert (part.inline_data.mime_type, part.inline_data.data, part.inline_data.display_name) == (
        "image/png", PICTURE, "photo.PNG",
    )  # fmt: skip


def test_a_text_goes_as_text_to_every_model_and_files_need_no_words():
    assert read("Sum it up.", File("notes.csv", b"\xef\xbb\xbfa,b"), model="simulated") == (
        "Sum it up.\n\nnotes.csv:\na,b",
        [],
    )
    assert read("Sum.", File("t.csv", "Größe;1".encode("cp1252")), model="simulated")[0] == "Sum.\n\nt.csv:\nGröße;1"
    assert read("", File("photo.png", PICTURE))[0] == "photo.png"


@pytest.mark.parametrize(
    ("file", "model", "why"),
    [
        (File("photo.png", PICTURE), "simulated", "takes text files only"),
        (File("scan.pdf", b"%PDF"), "simulated", "Choose another model"),
        (File("run.exe", b"MZ"), "gemini-flash-latest", "cannot be read"),
        (File("notes.txt", b"\xff\xfe\x00"), "gemini-flash-latest", "UTF-8"),
        (File("big.png", bytes(MAX_FILE_BYTES + 1)), "gemini-flash-latest", "larger than"),
    ],
)
def test_what_a_model_does_not_take_is_refused_with_the_reason(file, model, why):
    with pytest.raises(MessageError, match=why):
        read("Look.", file, model=model)


def test_too_many_files_are_refused():
    with pytest.raises(MessageError, match=f"a message takes {MAX_FILES}"):
        read("Look.", *[File("a.txt", b"a")] * (MAX_FILES + 1))


def test_the_log_keeps_the_bytes_and_a_rerun_sends_them_again(tmp_path):
    _, parts = read("Look.", File("photo.png", PICTURE))
    with RunManager(database=tmp_path / "files.db") as manager:
        run = manager.start("iterative_writing", "Look.", files=parts, simulated_speed=0)
        finish(manager, "iterative_writing", run.session_id)
    with RunManager(database=tmp_path / "files.db") as manager:
        manager.rerun("iterative_writing", run.session_id)
        log = manager.sessions.log("iterative_writing", run.session_id)
        events = [entry.event() for entry in log if entry.kind == "event"]
        sent = [event.content.parts for event in events if event.author == "user"]
    assert len(sent) == 2
    assert all((p[1].inline_data.data, p[1].inline_data.display_name) == (PICTURE, "photo.png") for p in sent)


@pytest.mark.usefixtures("quiet_world")
def test_the_chat_input_says_why_the_simulated_model_takes_no_picture(manager):
    at = sound(page())
    at.chat_input[0].upload("photo.png", PICTURE, "image/png").set_value("What is it?")
    at.run()
    assert "takes text files only" in said(at)
    assert not manager.sessions.summaries()


@pytest.mark.usefixtures("quiet_world")
def test_a_text_file_is_run_with_the_message(manager):
    at = sound(page())
    at.chat_input[0].upload("notes.txt", b"the keeper is called Ann", "text/plain").set_value("Write of her.")
    sound(at.run())
    (session,) = manager.sessions.summaries()
    assert "the keeper is called Ann" in str(manager.sessions.state("iterative_writing", session.id))


def test_the_chat_input_takes_files_of_the_owner_and_none_of_a_visitor(manager, visit):
    taken = sound(page()).chat_input[0].proto
    assert taken.accept_file == taken.AcceptFile.MULTIPLE
    visit()
    taken = sound(page()).chat_input[0].proto
    assert taken.accept_file == taken.AcceptFile.NONE
