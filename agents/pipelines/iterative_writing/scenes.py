"""The small places that the simulated writer tells of, and the sentences that can be told there.

In a sentence, `{who}` is the person of the scene, `{she}`, `{her}` and `{them}` that person's pronouns (capitalised:
`{Who}`, `{She}`), `{some}` a quantity, `{very}` room for an empty word, `{again}` the topic. Knows no rule of good prose.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Person:
    """Whom a piece is about.

    Attributes:
        name: A noun phrase, e.g. "the ferryman"; in one scene only.
        pronoun: "she" or "he".
    """

    name: str
    pronoun: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A place with its people.

    Attributes:
        at: Where, e.g. "on the quay".
        since: A moment that a day there begins with, for "since …".
        thing: Something that is always there, after "the".
        people: Whom to tell of.
        hints: Words in a topic that call for this scene.
        beats: What happens; begins with different words.
        acts: What the person does; each begins with "{She}".
        passives: The same kind of act, told in the passive voice.
        senses: What can be heard, smelled, tasted or touched.
    """

    at: str
    since: str
    thing: str
    people: tuple[Person, ...]
    hints: str
    beats: tuple[str, ...]
    acts: tuple[str, ...]
    passives: tuple[str, ...]
    senses: tuple[str, ...]

    def slots(self, person: Person) -> Mapping[str, str]:
        """What the scene and the person put into a sentence."""
        she, her, them = ("she", "her", "her") if person.pronoun == "she" else ("he", "his", "him")
        return {
            "at": self.at,
            "since": self.since,
            "thing": self.thing,
            "who": person.name,
            "Who": person.name[:1].upper() + person.name[1:],
            "she": she,
            "She": she.capitalize(),
            "her": her,
            "them": them,
        }


SCENES = (
    Scene(
        at="on the quay",
        since="the first ferry",
        thing="lantern",
        people=(Person("the ferryman", "he"), Person("the net mender", "she"), Person("the harbour clerk", "she")),
        hints="sea ocean lighthouse ship boat sailor harbour harbor whale fish island wave storm pirate beach coast water",
        beats=(
            "Out beyond the pier, {some} boats waited for the tide to make up its mind.",
            "The {very}old timetable by the ticket window promised a ferry that no longer ran.",
        ),
        acts=(
            "{She} wrote {some} short letters in the cabin and posted none of them.",
            "{She} coiled the ropes, checked the list twice and began again.",
            "{She} waved to {some} travellers who had turned back, and did not blame them.",
        ),
        passives=("The lantern was carried to the end of the pier by {who}.", "The moorings were checked by {who}."),
        senses=(
            "The air smelled of tar and wet rope.",
            "All night the halyards tapped against the masts.",
            "Salt dried stiff and rough on every sleeve.",
        ),
    ),
    Scene(
        at="in the bakery",
        since="the ovens were lit",
        thing="ledger",
        people=(Person("the baker", "he"), Person("the apprentice", "she"), Person("the miller’s daughter", "she")),
        hints="bread cake cook kitchen coffee tea food soup cheese apple honey chocolate dinner breakfast baker hunger egg",
        beats=(
            "At the door, the queue moved up a step and went on listening.",
            "Outside, a {very}long street took its time to wake.",
        ),
        acts=(
            "{She} dusted the table with flour and drew {some} small maps in it.",
            "{She} set aside {some} loaves for people who had not asked.",
            "{She} weighed the sugar, lost count and weighed it again.",
        ),
        passives=("The ledger was opened at the wrong page by {who}.", "The shutters were raised by {who}."),
        senses=(
            "The smell of warm bread got into every pocket.",
            "On the rack, the crusts crackled as they cooled.",
            "Under the hand the dough was cool and silky.",
        ),
    ),
    Scene(
        at="on the platform",
        since="the night train",
        thing="timetable",
        people=(Person("the signalman", "he"), Person("the ticket inspector", "she"), Person("the porter", "he")),
        hints="train travel journey road station bus city street car map night traveller tourist distance airport bridge",
        beats=(
            "By the bench stood {some} suitcases with no one near them.",
            "A {very}late express went through without stopping.",
        ),
        acts=(
            "{She} walked from end to end and read {some} posters for towns that nobody visits.",
            "{She} stamped a ticket for a journey of {her} own and put it away.",
            "{She} let {some} trains go by before saying a word.",
        ),
        passives=("The points were changed by {who}.", "The signal was lowered too early by {who}."),
        senses=(
            "The rails hummed long before there was a train.",
            "Brake dust and coffee scented the morning.",
            "Even through a coat the iron bench was cold.",
        ),
    ),
    Scene(
        at="in the reading room",
        since="opening time",
        thing="register",
        people=(Person("the night librarian", "she"), Person("the bookbinder", "he"), Person("the archivist", "she")),
        hints="book library story word letter language poem history philosophy law question memory idea truth writing king",
        beats=(
            "A reader at the window turned the same page back and forth.",
            "The {very}long corridor led past {some} maps to a locked door.",
        ),
        acts=(
            "{She} pulled {some} thin books from the shelf and opened each in the middle.",
            "{She} left a slip of paper in the atlas, to mark nothing in particular.",
            "{She} corrected a date in pencil and left {her} initials beside it.",
        ),
        passives=("The register was signed in pencil by {who}.", "The lamps were dimmed early by {who}."),
        senses=(
            "The room smelled of dust, glue and rain on coats.",
            "Behind the shelves a radiator ticked.",
            "Each page was as soft as cloth to the touch.",
        ),
    ),
    Scene(
        at="in the walled garden",
        since="the last frost",
        thing="watering can",
        people=(Person("the gardener", "he"), Person("the beekeeper", "she"), Person("the fruit picker", "he")),
        hints="garden flower tree bee cat dog bird forest grass spring summer autumn farm animal nature seed leaf rose fox",
        beats=(
            "From bed to bed, a robin followed the spade.",
            "The {very}old gate opened only for those who lifted it a little.",
        ),
        acts=(
            "{She} sowed {some} rows that leaned to the left.",
            "{She} wrote the weather on a label and stuck it in the soil.",
            "{She} tied up {some} branches that had been quarrelling with the wall.",
        ),
        passives=("The watering can was moved into the shade by {who}.", "The nets were mended by {who}."),
        senses=(
            "Crushed mint scented the path.",
            "Until dusk the bees hummed in the lavender.",
            "Between the fingers the soil was cool and damp.",
        ),
    ),
    Scene(
        at="in the workshop",
        since="the lamps came on",
        thing="toolbox",
        people=(Person("the clockmaker", "she"), Person("the young mechanic", "he"), Person("the instrument maker", "she")),
        hints="robot machine clock engine computer software code program invention inventor time technology data agent",
        beats=(
            "On the top shelf, a radio waited for a part that is no longer made.",
            "The {very}heavy door closed by itself, as it did every day.",
        ),
        acts=(
            "{She} laid out {some} small screws in the order in which they had come loose.",
            "{She} drew a plan, turned it upside down and liked it better.",
            "{She} mended {some} toys that nobody had come to collect.",
        ),
        passives=("The drawing was pinned above the bench by {who}.", "The mainspring was replaced by {who}."),
        senses=(
            "Machine oil and cedar shavings scented the room.",
            "In the next room a lathe hummed.",
            "The brass was cold at first and then as warm as the hand.",
        ),
    ),
    Scene(
        at="in the hut below the pass",
        since="the snow began",
        thing="guest book",
        people=(Person("the hut warden", "she"), Person("the mail carrier", "he"), Person("the mountain guide", "she")),
        hints="mountain snow winter cold wolf bear climb climbing hike river stone ice valley wilderness silence walk goat",
        beats=(
            "Behind the hut, {some} goats stood on a roof that was meant for nobody.",
            "A {very}narrow path kept to the shade and then gave up.",
        ),
        acts=(
            "{She} wrote {some} names in the guest book for hikers who could not stay.",
            "{She} looked up at the pass and down at the map, and trusted neither.",
            "{She} split wood for {some} evenings more than {she} would need.",
        ),
        passives=("The lamp was placed in the window by {who}.", "The stove was lighted by {who}."),
        senses=(
            "Wood smoke and wet wool filled the room with their smell.",
            "In the keyhole the wind whistled.",
            "From tin cups the tea tasted of metal and thyme.",
        ),
    ),
    Scene(
        at="in the observatory",
        since="dusk",
        thing="logbook",
        people=(Person("the astronomer", "she"), Person("the dome keeper", "he"), Person("the night assistant", "she")),
        hints="star moon space planet sun sky universe rocket alien astronaut dream future science comet galaxy physics",
        beats=(
            "Down in the valley, {some} windows went dark before their time.",
            "The {very}steep stairs kept most visitors away.",
        ),
        acts=(
            "{She} noted {some} new stars and gave one of them a private name.",
            "{She} turned the dome by a hand’s breadth and waited for the clouds to agree.",
            "{She} filled in the form for unusual events, and then tore it up.",
        ),
        passives=("The logbook was closed a minute early by {who}.", "The shutter was opened by {who}."),
        senses=(
            "Above the stairs, the motor of the dome hummed like an animal asleep.",
            "Against the cheek the eyepiece was cold.",
            "The room smelled of floor polish and old coffee.",
        ),
    ),
    Scene(
        at="in the schoolhouse",
        since="the first bell",
        thing="globe",
        people=(Person("the new teacher", "she"), Person("the caretaker", "he"), Person("the history teacher", "he")),
        hints="school child children childhood learn learning teacher student exam number mathematics friend friendship",
        beats=(
            "In the corner, a globe with the wrong borders turned a little by itself.",
            "The {very}small chairs made every visitor look thoughtful.",
        ),
        acts=(
            "{She} wiped the board and found {some} older words underneath.",
            "{She} handed out paper, and {some} pupils drew the same bridge.",
            "{She} marked the wrong answer as right, because it was the better one.",
        ),
        passives=("The windows were opened by {who}.", "The old map was unrolled by {who}."),
        senses=(
            "Chalk dust and orange peel scented the room.",
            "On the floor above, chairs scraped and fell silent.",
            "The chalk was dry to the fingers and squeaked at every curve.",
        ),
    ),
    Scene(
        at="in the rehearsal room",
        since="the tuning",
        thing="score",
        people=(Person("the cellist", "she"), Person("the piano tuner", "he"), Person("the stage manager", "she")),
        hints="music jazz song piano guitar dance dancing singer opera theatre love heart joy concert painter art film",
        beats=(
            "Along the wall stood {some} chairs that nobody had put in order.",
            "A {very}tall mirror showed the room as larger than it was.",
        ),
        acts=(
            "{She} counted {some} bars of rest and came in a moment late.",
            "{She} turned the page before it was time, and nobody minded.",
            "{She} wrote a question in the margin and underlined it.",
        ),
        passives=("The score was marked in blue by {who}.", "The curtain was raised a little by {who}."),
        senses=(
            "Behind the curtain an oboe held one long note.",
            "The room smelled of rosin and old velvet.",
            "The keys were smooth and cool to the touch.",
        ),
    ),
)
