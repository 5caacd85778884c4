"""The agents of the ACE cycle: generator, reflector, curator."""
