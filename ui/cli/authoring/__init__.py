"""The commands for who writes agents: begin a package, and review agents before they run."""
