"""Pages of those who are not signed in: to sign in, to use an invitation, to sign out."""
