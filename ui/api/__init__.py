"""What other programs use: adapters of protocols, which translate and decide nothing, and what they share."""
