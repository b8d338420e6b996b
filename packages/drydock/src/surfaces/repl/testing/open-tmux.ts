import { execFile, spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { CLI_COMMAND } from "../../cli/testing/run-cli.ts";

const run = promisify(execFile);
const LOOK_AGAIN_MS = 40;
const LONGEST_WAIT_MS = 30_000;
const STATUS = /^\[status (\d+)\]$/m;
let count = 0;

/** Whether there is a tmux to drive. */
export const HAS_TMUX = spawnSync("tmux", ["-V"]).status === 0;

export interface Tmux extends AsyncDisposable {
  /** Types text, key by key as tmux sends it, without a key to end it. */
  type(text: string): Promise<void>;
  /** Keys by tmux's names: Enter, Tab, Up, C-c. */
  press(...keys: string[]): Promise<void>;
  /** Resolves as soon as the screen holds it; fails with the screen where it never does. */
  shows(what: string | RegExp | ((screen: string) => boolean)): Promise<void>;
  /** The whole screen, with what has scrolled away; `withColors` keeps the escape sequences of colours. */
  screen(options?: { withColors?: boolean }): Promise<string>;
  /** The lines that are visible now, without the spaces at their ends. */
  lines(): Promise<string[]>;
  /** What the terminal's window is called. */
  title(): Promise<string>;
  /** One of tmux's variables about the terminal, such as `alternate_on`. */
  variable(name: string): Promise<string>;
  resize(columns: number, rows: number): Promise<void>;
  /** How the program ended; waits for that. */
  ended(): Promise<number>;
}

export interface TmuxOptions {
  home: string;
  argv: readonly string[];
  environment?: Record<string, string>;
  columns?: number;
  rows?: number;
  /** Where it is started. Default: here. */
  directory?: string;
}

/** Runs a command line in a real terminal, on a tmux server of its own. */
export async function openTmux({
  home,
  argv,
  environment = {},
  columns = 100,
  rows = 50,
  directory = ".",
}: TmuxOptions): Promise<Tmux> {
  const socket = `drydock-repl-${process.pid}-${++count}`;
  // The socket goes with the home.
  const env = { ...process.env, TMUX_TMPDIR: home };
  const tmux = async (...words: string[]) =>
    (await run("tmux", ["-L", socket, "-f", "/dev/null", ...words], { env })).stdout;
  const variables = { PATH: process.env.PATH ?? "", DRYDOCK_HOME: home, LANG: "C.UTF-8", TZ: "UTC", ...environment };
  const assignments = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const program = ["env", "-i", "TERM=xterm-256color", ...assignments, ...CLI_COMMAND, ...argv];
  const size = ["-x", String(columns), "-y", String(rows)];
  // The shell stays for a while, so that what was shown last can be read, and tells the exit status. Where the tests
  // themselves are killed, all of it ends by itself.
  const script = 'timeout --foreground 300 "$@"; printf "[status %s]\\n" $?; exec sleep 60';
  await tmux("new-session", "-d", ...size, "-c", directory, "sh", "-c", script, "sh", ...program);

  const screen: Tmux["screen"] = async ({ withColors = false } = {}) => {
    const text = await tmux("capture-pane", "-p", "-S", "-", ...(withColors ? ["-e"] : []));
    return `${text.trimEnd()}\n`;
  };
  const shows: Tmux["shows"] = async (wanted) => {
    const what = typeof wanted === "string" ? (seen: string) => seen.includes(wanted) : wanted;
    const until = Date.now() + LONGEST_WAIT_MS;
    for (;;) {
      const seen = await screen();
      if (typeof what === "function" ? what(seen) : seen.search(what) >= 0) return;
      if (Date.now() > until) throw new Error(`The screen never showed ${wanted}:\n${seen}`);
      await sleep(LOOK_AGAIN_MS);
    }
  };
  return {
    type: async (text) => void (await tmux("send-keys", "-l", "--", text)),
    press: async (...keys) => void (await tmux("send-keys", ...keys)),
    screen,
    shows,
    lines: async () => (await tmux("capture-pane", "-p")).split("\n").map((line) => line.trimEnd()),
    title: async () => (await tmux("display", "-p", "#{pane_title}")).trim(),
    variable: async (name) => (await tmux("display", "-p", `#{${name}}`)).trim(),
    resize: async (width, height) => void (await tmux("resize-window", "-x", String(width), "-y", String(height))),
    async ended() {
      await shows(STATUS);
      return Number(STATUS.exec(await screen())?.[1]);
    },
    async [Symbol.asyncDispose]() {
      await tmux("kill-server").catch(() => {});
    },
  };
}
