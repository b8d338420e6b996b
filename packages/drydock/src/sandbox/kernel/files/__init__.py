"""The files of a run: the host's directory as a run sees it, what is brought in, what is observed, what is left and
given back. Runs in the broker and in the warden.

May import `contain`; never `interpret` or `attend`."""
