import os
import pty
import select
import subprocess

master, slave = pty.openpty()
print(os.isatty(slave), os.ttyname(slave).startswith("/dev/pts/"))
program = subprocess.Popen(["sh", "-c", "test -t 0 && echo a terminal"], stdin=slave, stdout=slave, close_fds=True)
program.wait()
print(os.read(master, 100))

pid, terminal = pty.fork()
if pid == 0:
    with open("/dev/tty", "w") as own:
        own.write("through its own terminal")
    os._exit(0)
select.select([terminal], [], [], 10)
print(os.read(terminal, 100))
os.waitpid(pid, 0)
