import os

print("before", flush=True)
pid = os.fork()
if pid == 0:
    print("child", os.getppid() != os.getpid())
    os._exit(3) if not print("child ends", flush=True) else None
_, status = os.waitpid(pid, 0)
print("parent", os.waitstatus_to_exitcode(status))
