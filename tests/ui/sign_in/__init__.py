"""Tests of the pages to sign in."""
