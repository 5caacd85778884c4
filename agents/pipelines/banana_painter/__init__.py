"""A painter whose hand is not steady, and a checker that counts bananas in the picture, until both agree."""
