import subprocess

print("before", flush=True)
subprocess.call(["sh", "-c", "echo inner; echo wrong >&2"])
print("after")
