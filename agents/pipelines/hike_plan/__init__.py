"""A hike is split into legs; a scout for each works side by side with the packing, and a join waits for all of them."""
