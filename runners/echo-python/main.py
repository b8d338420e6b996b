from drydock_runner import serve_plugin
from echo_runner import echo

serve_plugin("drydock", "echo-python", [echo])
