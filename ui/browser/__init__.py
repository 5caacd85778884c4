"""What the components share: their JavaScript kit, and how a component's modules become one."""
