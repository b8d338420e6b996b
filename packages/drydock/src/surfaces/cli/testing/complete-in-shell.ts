import { execFileSync, spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CLI_COMMAND } from "./run-cli.ts";
import { runProgramInTerminal } from "./run-in-terminal.ts";

const PROMPT = "ready>";
const SHOW = "\u0018p";
const CLEAR = "\u0005\u0015";

const END = "(end)";

const SETTINGS = {
  bash: `PS1='${PROMPT}'
bind 'set bell-style none'; bind 'set enable-bracketed-paste off'; bind 'set completion-query-items 0'
bind -x '"\\C-xp": printf "\\n<%s>\\n" "$READLINE_LINE"'
`,
  zsh: `PS1='${PROMPT}'; unset zle_bracketed_paste; unsetopt beep prompt_cr prompt_sp list_beep auto_menu
autoload -U compinit; compinit -D -u
show() { zle -I; print -r -- "<$BUFFER>" }; zle -N show; bindkey -e; bindkey '^Xp' show
`,
};

export function hasShell(shell: string): boolean {
  return spawnSync(shell, ["--version"]).status === 0;
}

/** What a real shell makes of each of these lines when Tab is pressed at their end. */
export async function completeInShell(
  shell: "bash" | "zsh",
  home: string,
  lines: readonly string[],
): Promise<string[]> {
  const program = execFileSync("sh", ["-c", `command -v ${shell}`])
    .toString()
    .trim();
  const words = CLI_COMMAND.map((word) => `'${word}'`).join(" ");
  const file = join(home, shell === "bash" ? ".bashrc" : ".zshrc");
  const load = `drydock() { ${words} "$@"; }\nsource <(drydock completion ${shell})\n`;
  await writeFile(file, `${SETTINGS[shell]}${load}`);
  const start = shell === "bash" ? ["--noprofile", "--rcfile", file, "-i"] : ["-d", "-i"];
  // Keys are sent only while the shell reads them: a program that runs meanwhile might take them.
  const keys = [
    ...lines.map((line, index) => ({
      after: index === 0 ? PROMPT : `>\r\n${PROMPT}`,
      type: `${CLEAR}${line}\t${SHOW}`,
    })),
    { after: `>\r\n${PROMPT}`, type: `${CLEAR}exit 0\r` },
  ];
  const env = { PATH: process.env.PATH, DRYDOCK_HOME: home, HOME: home, TERM: "dumb", LANG: "C.UTF-8" };
  const { screen } = await runProgramInTerminal([program, ...start], env, { rows: 60, columns: 400, keys });
  const shown = [...screen.matchAll(/^<(.*)>\r?$/gm)].map((match) => match[1] ?? "");
  if (shown.length !== lines.length) throw new Error(`${shell} showed something else:\n${screen}`);
  return shown;
}

/** fish tells by itself what it would offer at the end of each line. */
export function completeInFish(home: string, lines: readonly string[]): string[] {
  const words = CLI_COMMAND.map((word) => `'${word}'`).join(" ");
  const script = `function drydock; ${words} $argv; end; drydock completion fish | source; for line in $argv; complete -C $line; echo "${END}"; end`;
  const env = { PATH: process.env.PATH, DRYDOCK_HOME: home, HOME: home, LANG: "C.UTF-8" };
  const output = execFileSync("fish", ["--no-config", "-c", script, ...lines], { env, encoding: "utf8" });
  return output.split(`${END}\n`).slice(0, lines.length);
}
