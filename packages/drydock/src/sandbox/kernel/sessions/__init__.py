"""Sessions: the warden of a live interpreter, its states, and its forks; and trial forks of other runs.

May import every other package. Only `fork_server.py` imports this one, if it serves sessions."""
