import { spawn } from "node:child_process";
import { once } from "node:events";

export interface TerminalSize {
  rows: number;
  columns: number;
}

/** Starts a command on a pseudo terminal of its own, and passes on everything that is written to it. */
const PTY = `
import fcntl, os, pty, struct, sys, termios
rows, columns, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    os.execvp(command[0], command)
while True:
    try:
        data = os.read(fd, 65536)
    except OSError:
        break
    if not data:
        break
    sys.stdout.buffer.write(data)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

/** What a command writes to a terminal of this size, with its colours and cursor movements, and its exit status. */
export async function runInTerminal(
  command: readonly string[],
  { rows, columns }: TerminalSize,
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<{ output: string; status: number }> {
  const child = spawn("python3", ["-c", PTY, String(rows), String(columns), ...command], {
    cwd,
    env: { ...env, TERM: "xterm-256color" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const [status] = (await once(child, "close")) as [number | null];
  return { output, status: status ?? -1 };
}
