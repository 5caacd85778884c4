"""The stage of all demos: what a moment shows, as values, and the component that draws them."""
