"""Agents made of agents: sequential, parallel, loop, routing with failover; and how a paused run resumes."""
