import subprocess

p = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
out, _ = p.communicate(b"through the pipe")
print(out, p.returncode, p.poll())
