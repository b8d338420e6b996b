from drydock_runner import serve_plugin
from librarian import librarian

serve_plugin("drydock", "librarian", [librarian])
