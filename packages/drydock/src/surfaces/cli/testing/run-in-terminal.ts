import { spawn } from "node:child_process";
import { once } from "node:events";
import { CLI_COMMAND } from "./run-cli.ts";

export interface InTerminal {
  status: number | null;
  /** Everything that was written to the terminal, with what moves its cursor. */
  screen: string;
}

/** Opens a pseudo terminal, and types each of the keys once the text before it has been shown. */
const PTY = `
import fcntl, json, os, pty, select, signal, struct, sys, termios
size, keys, command = json.loads(sys.argv[1]), json.loads(sys.argv[2]), sys.argv[3:]
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", size["rows"], size["columns"], 0, 0))
    os.execv(command[0], command)
seen, start = b"", 0
while True:
    if not select.select([fd], [], [], 60)[0]:
        os.kill(pid, signal.SIGKILL)
    try:
        data = os.read(fd, 65536)
    except OSError:
        break
    if not data:
        break
    seen += data
    if keys and keys[0]["after"].encode() in seen[start:]:
        start = len(seen)
        os.write(fd, keys.pop(0)["type"].encode())
status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
sys.stdout.buffer.write(seen)
sys.exit(status)
`;

export interface Keys {
  after: string;
  type: string;
}

export interface TerminalSize {
  rows: number;
  columns: number;
}

/** Runs a command line as a person sees it. */
export async function runInTerminal(
  home: string,
  argv: readonly string[],
  { keys = [], editor, ...size }: TerminalSize & { keys?: Keys[]; editor?: string },
): Promise<InTerminal> {
  const env = { PATH: process.env.PATH, DRYDOCK_HOME: home, TERM: "xterm-256color", EDITOR: editor };
  return runProgramInTerminal([...CLI_COMMAND, ...argv], env, { ...size, keys });
}

/** The same for any program, by its absolute path. */
export async function runProgramInTerminal(
  command: readonly string[],
  env: NodeJS.ProcessEnv,
  { keys, ...size }: TerminalSize & { keys: Keys[] },
): Promise<InTerminal> {
  const words = ["-c", PTY, JSON.stringify(size), JSON.stringify(keys), ...command];
  const child = spawn("python3", words, { env, stdio: ["ignore", "pipe", "inherit"] });
  let screen = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    screen += text;
  });
  const [status] = (await once(child, "close")) as [number | null];
  return { status, screen };
}
