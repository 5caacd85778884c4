"""The pipelines that come with the playground, one package each, and the catalog that finds them."""
