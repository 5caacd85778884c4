"""The list of sessions in the sidebar: a component in the browser, and the rows that it shows."""
