"""The Settings page: models and servers, defaults, prices, where the data is."""
