"""A pipeline that asks a person: `pay 500` wants a confirmation above a limit, `ask credit?` an answer from
outside, `offer tea coffee` a choice."""
