import { openTmux, type Tmux, type TmuxOptions } from "./open-tmux.ts";

export interface DrivenRepl extends Tmux {
  /** Types lines, each once the REPL waits for it, and waits until it does again. */
  enter(...lines: string[]): Promise<void>;
  /** Resolves once the REPL waits for input. */
  ready(): Promise<void>;
  /** The screen with whatever differs from run to run taken out. */
  golden(options?: { withColors?: boolean }): Promise<string>;
}

const WAITING = /(?:^|\n)(?:drydock>|\s+\.\.\.)\s*$/;

/** The REPL as a person at a terminal has it. */
export async function driveRepl({ argv, ...options }: TmuxOptions): Promise<DrivenRepl> {
  const tmux = await openTmux({ ...options, argv: ["repl", ...argv] });
  const ready = () => tmux.shows(WAITING);
  await ready();
  return {
    ...tmux,
    [Symbol.asyncDispose]: () => tmux[Symbol.asyncDispose](),
    ready,
    async enter(...lines) {
      for (const line of lines) {
        const before = countPrompts(await tmux.screen());
        if (line !== "") await tmux.type(line);
        await tmux.press("Enter");
        await tmux.shows((seen) => countPrompts(seen) > before && WAITING.test(seen));
      }
    },
    golden: async (given) => normalize(await tmux.screen(given), options.home),
  };
}

function countPrompts(screen: string): number {
  return screen.match(/^(?:drydock>|\s+\.\.\.)/gm)?.length ?? 0;
}

function normalize(screen: string, home: string): string {
  return screen
    .replaceAll(home, "HOME")
    .replace(/^ {2}steps {4}[^:]*?filter system calls$/gm, "  steps    STEPS")
    .replace(/ses_\w+/g, "ses_ID")
    .replace(/run_\w+/g, "run_ID")
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, "DATE TIME")
    .replace(/\b\d+(?:\.\d+)? (?:KB|MB)\b/g, "SIZE")
    .replace(/\+?\b\d+(?:\.\d+)? (?:ms|s)\b */g, "TIME ")
    .replace(/level (?:cgroups|rlimits|landlock)/g, "level LEVEL")
    .replace(/\b[0-9a-f]{64}\b/g, "HASH")
    .replace(/[ \t]+$/gm, "");
}
