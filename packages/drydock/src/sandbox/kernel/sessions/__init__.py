"""Sessions: the warden of a live interpreter, its states, and its forks.

May import every other package. Only `fork_server.py` imports this one, if it serves sessions."""
