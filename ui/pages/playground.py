"""The Playground page: run a pipeline and watch it."""

from ui import conversation, header, places, session_list

place = places.find()
session_list.show(place)
header.show(place)
conversation.show(place)
