"""A provider that the playground does not have, to see that its package is all that one needs."""

from agents.models.provider import Endpoint, Price, Provider

PROVIDER = Provider(
    name="parrot",
    label="Parrots",
    about="Birds that answer over the network.",
    models_about="A bird, over the network.",
    access=Endpoint(
        url="https://parrots.example",
        url_variable="PARROT_URL",
        key_variables=("PARROT_KEY",),
        key_label="Parrot key",
        needs_key=True,
        key_source="parrots.example/keys",
    ),
    llm_class="agents.models.parrot.model:Parrot",
    prefix="parrot/",
    models=("parrot/ara", "parrot/jako"),
    free=("parrot/wild-*",),
    prices={"parrot/ara": Price(input=7, output=8)},
    price_source="The birds' list",
)
