"""The files of a run: the host's directory as a run sees it, files that are brought in, observed, left behind and sent
back. Runs in the broker and in the warden.

May import `contain`; never `interpret` or `attend`."""
