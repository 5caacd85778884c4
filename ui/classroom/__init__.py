"""A class in the browser: the learners' phones, the wall, and the teacher's desk. Light pages with one socket each."""
