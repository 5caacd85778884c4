"""Words by which prose is judged, and sentences that fit any scene. Knows no judge and no writer."""

from __future__ import annotations

import re


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


TOPIC_OPENINGS = (
    "{Who} had only one story, and it was about {topic}.",
    "What {who} remembered best about that {season} was {topic}.",
    "Nobody {at} spoke about {topic} until {who} did.",
    "{Who} had been thinking about {topic} since {since}.",
    "It all began {at} with {topic}, or so {who} liked to say.",
    "Long before anyone else {at}, {who} knew about {topic}.",
    "One {season} morning {at}, {who} said something about {topic} and would not take it back.",
)
TITLE_OPENINGS = (
    "Someone had written {topic} on the back of a receipt, and {who} found it {at}.",
    "The note that {who} found {at} said {topic}, and nothing more.",
    "{Who} had copied {topic} into a notebook twice and could not stop thinking about it.",
    "The first thing {who} said that {season} morning was {topic}.",
    "For years {who} kept a folded page {at}, and {topic} was all it said.",
    "One {season} morning {who} came in, said {topic} and waited for an answer.",
)
HERO_OPENINGS = (
    "One {season} morning {at}, {topic} decided to begin again.",
    "Awake since {since}, {topic} stood {at} and waited.",
    "Anyone who came by that {season} would have found {topic} {at}.",
    "Of all those {at}, only {topic} had time to spare that {season}.",
    "Every evening that {season}, {topic} made the same round {at}.",
    "{Season} came late {at}, and {topic} was in no hurry either.",
    "Nobody {at} could say where {topic} had come from, or when.",
    "By the time anyone noticed, {topic} had been {at} for a whole {season}.",
)
TURNS = (
    "There was more to {again} than anyone {at} had guessed.",
    "It would have been easy to laugh at {again}, and nobody did.",
    "The more {she} thought about {again}, the less {she} could explain.",
    "About {again} people {at} had always had two opinions, and {she} had a third.",
    "Nothing in {her} life until then had made room for {again}.",
)
HERO_TURNS = (
    "There was a plan, and {she} had told it to no one.",
    "Nobody had asked {them} to come, and that was the best part of it.",
    "People {at} took it for a habit, but it was closer to a promise.",
    "Of everything {she} had been taught, {she} trusted only what {her} own hands knew.",
    "Until that day nobody had thought of asking {them} why.",
)
TITLE_TURNS = (
    "There was more to {again} than anyone {at} had guessed.",
    "It would have been easy to smile at {again}, and nobody did.",
    "The more {she} thought about {again}, the less {she} could explain.",
    "People {at} read {again} in two ways, and {she} had a third.",
)
FEELINGS = (
    "What {she} felt was closer to relief than to surprise.",
    "It made {them} homesick for a place {she} had never seen.",
    "For once {she} was not afraid of being wrong.",
    "A quiet pride came over {them}, and {she} let it stay.",
    "Under it all lay a longing that {she} had no use for.",
    "Nothing that week had given {them} so much hope.",
)
CLOSINGS = (
    "In the end {she} put the {thing} back in its place and went home the long way round.",
    "To this day nobody {at} mentions {again} without lowering their voice.",
    "Ever since, {who} has kept a second chair ready, just in case.",
    "At last the weather turned, and {she} let the matter rest.",
    "From then on {she} left a little earlier each evening and never said why.",
    "Still, whenever it rains, someone {at} brings up {again}.",
    "Since then the {thing} has never been moved.",
    "At last {she} turned round, waved at nobody in particular and went in.",
    "From then on there was always a light in the window.",
    "In the end nothing had changed, except that {she} slept through the night.",
)
ANYWHERE_BEATS = (
    "Outside, the afternoon went on as if nothing had happened.",
    "A door opened somewhere, and nobody came in.",
    "Word of it travelled slowly, as good news does.",
    "Two people asked about it, and a third pretended to know.",
)
ANYWHERE_SENSES = (
    "The air smelled of rain.",
    "Somewhere a clock ticked in an empty room.",
    "Even the light felt warm on the skin.",
)
ANYWHERE_FEELINGS = ("There was joy in it, the small kind that needs no company.", "It left a longing that had no name.")
ANYWHERE_CLOSINGS = ("In the end that was enough.", "To this day nobody has found a better word for it.")
ANYWHERE_NUMBERS = (
    "It took {some} tries to get it right.",
    "There were {some} reasons to leave and only one to stay.",
    "Of {some} people who knew, none said a word.",
    "For {some} days nothing happened, and then everything did.",
)

CLICHE_LEADS = ("Needless to say", "As luck would have it", "At the end of the day", "All things considered")
CLICHE_TAILS = ("as if time stood still", "for better or worse", "against all odds", "like never before")
CLICHES = (*CLICHE_LEADS, *CLICHE_TAILS, "little did anyone know", "only time will tell", "last but not least")
EMPTY_LEADS = ("Somehow", "Suddenly")
EMPTY_DEGREES = ("very", "really", "quite", "rather")
VAGUE_QUANTITIES = ("a few", "several", "some", "many")
NUMBER_WORDS = _words("""
    two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
    nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand dozen
""")
EXACT_QUANTITIES = NUMBER_WORDS[1:14]

SENSE_WORDS = re.compile(
    r"\b(?:smell\w*|scent\w*|stink\w*|fragran\w*|sound\w*|noise\w*|hum(?:s|med|ming)?|whistl\w+|tick(?:s|ed|ing)\b|tapp(?:ed|ing)"
    r"|crackl\w+|creak\w*|rustl\w+|whisper\w*|squeak\w*|scrap(?:ed|ing)|echo\w*|loud|note|taste[sd]?|tasting|salty|sweet"
    r"|bitter|sour|warm\w*|cold\w*|cool\w*|rough|smooth|soft|silky|damp|wet|dry|sticky)\b",
    re.IGNORECASE,
)
FEELING_WORDS = re.compile(
    r"\b(?:reliev\w+|relief|homesick\w*|lonel\w+|afraid|fear\w*|pride|proud\w*|longing|hope\w*|joy\w*|happ(?:y|ier|iness)"
    r"|sad\w*|sorrow\w*|grief|griev\w+|ang(?:er|ry|rily)|shame\w*|ashamed|env(?:y|ied|ious)|tender\w*|delight\w*|worr\w+"
    r"|gratitude|grateful\w*|despair\w*|loved?|jealous\w*|regret\w*|anxi\w+|content(?:ed|ment))\b",
    re.IGNORECASE,
)
CLOSING_WORDS = re.compile(
    r"\b(?:in the end|to this day|ever since|since then|at last|from then on|even now|finally|never again|afterwards"
    r"|ever after|still)\b",
    re.IGNORECASE,
)
EMPTY_DEGREE = re.compile(rf"\b(?:{'|'.join(EMPTY_DEGREES)})\b")
NUMBERS = re.compile(rf"\d|\b(?:{'|'.join(NUMBER_WORDS)})s?\b", re.IGNORECASE)
VAGUE = re.compile(
    rf"\b(?:{'|'.join(VAGUE_QUANTITIES)}|countless|a handful of)(?= (?:[a-z-]+ ){{0,2}}[a-z]+s\b)", re.IGNORECASE
)
PASSIVE = re.compile(
    r"(?<![^.!?…])(?P<object>[^.!?…]+?) (?:was|were) "
    r"(?P<act>\w+(?:ed|en)|set|hung|put|left|made|told|brought|kept|found|read) "
    r"(?P<rest>(?:[^.!?…,]{1,100}? )?)"
    r"by (?P<agent>(?:the|a|an|my|her|his|their) [\w’' -]{1,60}?|[\ue000-\uf8ff])(?P<tail>[.,;!?…])"
)
