"""Words by which a topic's grammar is guessed. Knows no topic."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


DETERMINERS = _words("""
    a an the my your his her its our their this that these those one two three four five six seven eight nine ten every
    each no another some any
""")
PLURAL = _words("these those two three four five six seven eight nine ten some any no every each")
"""Determiners of more than one, or of none in particular."""

MASS = _words("""
    love time rain snow music jazz coffee tea silence friendship hope winter summer spring autumn fog bread water light
    darkness sleep home childhood courage money luck memory grief joy work art poetry chess history peace war dust
    patience kindness freedom chocolate honey thunder dancing
""")
"""Nouns that need no article."""

BEINGS = _words("""
    man woman boy girl child baby king queen prince princess knight witch thief ghost giant dragon robot android monster
    dog cat fox wolf bear bird owl crow horse mouse whale dolphin elephant lion tiger rabbit hare hedgehog tortoise turtle
    frog bee ant snail goat sheep cow pig duck goose hen penguin octopus squirrel donkey deer badger cook chef nurse spy
    clerk pilot guide judge monk nun saint poet aunt uncle grandma grandpa son cousin wife husband friend neighbour orphan
    twin astronaut captain postman fisherman student accountant assistant merchant shepherd apprentice hero heroine pirate
    wizard angel alien smith blacksmith locksmith
""")
"""Nouns for somebody who can be the hero of a story and that do not look like it."""

LIFELESS = _words("""
    river water winter summer letter paper corner tower flower mirror door floor color number chapter computer dinner
    butter weather order border power shower ladder harbor motor error terror tractor elevator list mist twist matter
    center quarter supper chamber thunder timber cover poster plaster answer silver copper amber october november december
    september fever feather leather shoulder finger liver counter printer toaster freezer refrigerator clutter laughter
    slaughter disaster theater manor flavor honor vapor rumor humor sweater danger ginger anger burger hamburger fiber
    lumber layer prayer other another whatever ever never over under after together helicopter calculator sensor
    trailer trigger wonder labor parlor armor meteor reactor corridor semester folder charger router
    server browser newsletter newspaper wallpaper bumper hammer container boiler
""")
"""Nouns that look like somebody who does something, and are none."""

MALE = _words("man boy king prince uncle father grandfather grandpa brother son husband monk postman fisherman hero")
FEMALE = _words("""
    woman girl queen princess witch aunt mother grandmother grandma sister daughter wife nun heroine hen
""")
FOREIGN = _words("der die das ein eine einen dem den le la les un une el los las una il lo gli o os as uma het een")
NOT_A_NOUN_PHRASE = _words("""
    i we you he she they it who what when where why how which if is are was were do does did can could should would will
    let’s let's lets in on at under over by with without after before and or but so not to for from
""")
"""First words of a topic that is a question, a sentence or something else to quote."""
