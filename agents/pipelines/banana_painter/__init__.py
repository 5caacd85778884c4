"""A painter who miscounts, and a checker that counts bananas in the picture, until both agree."""
