"""Models inside this process: llama.cpp, model files, and the hub that they come from."""
