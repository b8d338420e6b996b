import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Dock, ExecResult } from "drydock";
import type { Stage } from "../stage.ts";

/** What an attack knows about the host: more than real ones do. */
interface Host {
  pid: number;
  port: number;
  directory: string;
}

interface Attempt {
  title: string;
  /** Ends with `got = …`, or fails. */
  code: (host: Host) => string;
  /** Looks from outside, where it can be seen whether the attack worked. */
  isStopped: (run: ExecResult, host: Host) => boolean;
}

const DAEMON_SECONDS = "86399.5";
const SECRET = "DEMO_API_TOKEN";
let connections = 0;

const ATTEMPTS: Attempt[] = [
  {
    title: "read /etc/shadow",
    code: () => "got = open('/etc/shadow').read()",
    isStopped: (run) => !run.ok,
  },
  {
    title: "find a token in the environment",
    code: () => "import os\ngot = ' '.join(sorted(os.environ))",
    isStopped: (run) => run.ok && !run.stdout.includes(SECRET),
  },
  {
    title: "read it from another process",
    code: () => "got = open('/proc/1/environ').read()",
    isStopped: (run) => !run.ok && !JSON.stringify(run).includes(process.env[SECRET] ?? SECRET),
  },
  {
    title: "list the host's processes",
    code: () => "import os\ngot = 'pids ' + ' '.join(name for name in os.listdir('/proc') if name.isdigit())",
    isStopped: (run, host) => !run.stdout.split(/\s+/).includes(String(host.pid)),
  },
  {
    title: "kill the host, then everybody",
    code: ({ pid }) =>
      `import os\nsaid = []\nfor victim in (${pid}, -1):\n    try:\n        os.kill(victim, 9)\n    except OSError as error:\n        said.append(f'{victim}: {error.strerror}')\ngot = ', '.join(said)`,
    isStopped: () => true, // we are still here to say so
  },
  {
    title: "connect to a server on the host",
    code: ({ port }) => `import socket\ngot = socket.create_connection(('127.0.0.1', ${port}), 2)`,
    isStopped: () => connections === 0,
  },
  {
    title: "connect to the internet",
    code: () => "import socket\ngot = socket.create_connection(('192.0.2.1', 443), 2)",
    isStopped: (run) => !run.ok,
  },
  {
    title: "write outside",
    code: ({ directory }) =>
      `import os\nos.makedirs(${JSON.stringify(directory)}, exist_ok=True)\nopen(${JSON.stringify(join(directory, "owned"))}, 'w').write('owned')\ngot = 'written, in a /tmp of its own'\nopen('/usr/bin/owned', 'w')`,
    isStopped: (_, host) => !existsSync(join(host.directory, "owned")) && !existsSync("/usr/bin/owned"),
  },
  {
    title: "a fork bomb",
    code: () => "import os\nwhile True:\n    os.fork()",
    isStopped: (run) => !run.ok,
  },
  {
    title: "allocate without end",
    code: () => "hoard = []\nwhile True:\n    hoard.append(bytearray(16 << 20))",
    isStopped: (run) => run.error?.code.startsWith("limit.") === true,
  },
  {
    title: "leave a daemon behind",
    code: () =>
      `import subprocess\nsubprocess.Popen(['setsid', 'sleep', '${DAEMON_SECONDS}'])\ngot = 'started; it ended with the run'`,
    isStopped: (run) => run.ok && !isRunning(DAEMON_SECONDS),
  },
  {
    title: "mount, trace, become root",
    code: () =>
      "import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\nsaid = []\nfor name, args in (('mount', (b'none', b'/tmp', b'tmpfs', 0, 0)), ('ptrace', (16, 1, 0, 0)), ('setuid', (0,))):\n    getattr(libc, name)(*args)\n    said.append(f'{name}: {os.strerror(ctypes.get_errno())}')\ngot = ', '.join(said)",
    isStopped: (run) => run.stdout.match(/: (Operation not permitted|Invalid argument)/g)?.length === 3,
  },
];

/** One program that misbehaves in many ways, and what each way got. The guard is off: the kernel does the stopping. */
export async function runHostileProgram(dock: Dock, stage: Stage): Promise<void> {
  stage.act("A hostile program", "Whatever a model wrote may be hostile. All code above ran behind the same walls.");
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
  });
  const host = { pid: process.pid, port, directory: join(stage.directory, "outside") };
  mkdirSync(host.directory);
  const rows = [["attempt", "what it got"]];
  const open: string[] = [];
  for (const { title, code, isStopped } of ATTEMPTS) {
    const run = await dock.exec({
      language: "python",
      code: `${code(host)}\nprint(got)`,
      unsafe: true,
      policy: { limits: { wallSeconds: 10, memoryMb: 128, processes: 32 } },
    });
    rows.push([title, describe(run)]);
    if (!isStopped(run, host)) open.push(title);
  }
  server.close();
  stage.table(rows);
  stage.check(
    `${ATTEMPTS.length} attempts, none got anywhere${open.map((title) => `; not: ${title}`)}`,
    open.length === 0,
  );
  const next = await dock.exec({ language: "python", code: "6 * 7" });
  stage.check("the next run finds everything as it should be", next.result === 42);
}

function describe(run: ExecResult): string {
  const text = run.error ? `${run.error.code}: ${run.error.message}` : run.stdout.trim();
  const line = text.split("\n")[0] ?? "";
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

function isRunning(argument: string): boolean {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(argument);
      } catch {
        return false; // it ended meanwhile
      }
    });
}
