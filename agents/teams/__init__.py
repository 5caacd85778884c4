"""Teams of agents that are written as files, in ADK's form: one YAML file an agent, beginning with `root_agent.yaml`."""
