"""Runs in containers that an engine makes: podman, docker, or gVisor's runsc.

On the host's side a server (`server`) has an attendant for each run (`attendant`), which mounts the run's directories
(`places`), starts the engine (`engines`) and stands between the host and the container (`relay`). Inside, pid 1 is the
run's warden (`inside`). It speaks with the attendant over its standard streams, in the words of `frames`.

May import every other package but `sessions`. Only the programs `container_server.py` and `container_warden.py` import
this one."""
