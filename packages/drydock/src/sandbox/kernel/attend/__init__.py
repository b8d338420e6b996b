"""The processes around a run: the warden and the lookout, how a run is handed to them, what they measure, and the code
process up to the moment at which the code starts.

May import every other package but `sessions`. Only that one and the two programs beside the packages,
`fork_server.py` and `bare_fork_server.py`, import this one."""
