import { excerpt } from "./analysis-finding.ts";
import { type CheckedAnswer, type DeclaredActions, STRUCK_OUT, type StruckCommand } from "./struck-command.ts";

/** Programs whose names are no English words: in a sentence too, one with a flag or a path behind it is a command. */
const PROGRAMS =
  "apt apt-get awk bash brew cargo cat chmod chown cp curl dd docker git grep jq kubectl ls mkdir mkfs mv mysql nc npm npx php pip pip3 pkill powershell psql python python3 rm rmdir rsync ruby scp sed sh sqlite3 ssh sudo systemctl tar unzip wget xargs yarn yum zsh".split(
    " ",
  );
const SHELL_FENCE = /^(sh|shell|bash|zsh|console|terminal|powershell|cmd)$/i;
const FENCE = /^\s*(`{3,}|~{3,})\s*(\S*)/;
const PROMPT = /^[$%>]\s+/;
const FLAG = /^--?[A-Za-z]/;
/** What only a command has behind a program: a flag, a path, an address. */
const ARGUMENT = "(?:--?[A-Za-z][^\\s`]*|(?:~|\\.{1,2})?/[^\\s`]*|[a-z]+://[^\\s`]+|\\*)";
const ORDERS = "run|running|execute|executing|type|enter|call|try|use";
/** Words of a sentence that goes on behind the name of a program. */
const GOING_ON = "to|and|or|for|on|in|with|it|is|as|again|from|if|when|then|which|that|here|there|now|first|instead";
const MAX_FINDS = 200;

/**
 * Takes out of a model's answer what is written for a shell: no shell command is declared, and a person would run it
 * outside of the sandbox. One that could be called with a slash before it (`git status`) stays.
 */
export async function strikeShell(answer: string, declared: DeclaredActions): Promise<CheckedAnswer> {
  const names = new Set([...PROGRAMS, ...declared.actions.map((action) => action.slice(1).split(" ")[0] ?? "")]);
  const struck: StruckCommand[] = [];
  const strike = async (line: string): Promise<string> => {
    const isCallable = declared.actions.includes(`/${line}`) || (await declared.refusal(`/${line}`)) === null;
    if (isCallable && struck.length < MAX_FINDS) return line;
    struck.push({ line: excerpt(line), reason: "it is a command for a shell" });
    return STRUCK_OUT;
  };
  const lines: string[] = [];
  let fence: { mark: string; isShell: boolean } | null = null;
  for (const line of answer.split("\n")) {
    const [, mark = "", tag = ""] = FENCE.exec(line) ?? [];
    if (mark !== "" && (fence === null || (mark.startsWith(fence.mark) && tag === ""))) {
      fence = fence === null ? { mark, isShell: SHELL_FENCE.test(tag) } : null;
      lines.push(line);
    } else {
      lines.push(fence ? await holdLine(line, names, fence.isShell, strike) : await holdText(line, names, strike));
    }
  }
  return { text: lines.join("\n"), struck };
}

type Strike = (line: string) => Promise<string>;

/** A line of code, or one that begins with a prompt. */
async function holdLine(line: string, names: ReadonlySet<string>, isShell: boolean, strike: Strike): Promise<string> {
  const start = line.length - line.trimStart().length;
  const prompt = PROMPT.exec(line.slice(start))?.[0] ?? "";
  const command = line.slice(start + prompt.length).trimEnd();
  const isNote = command === "" || /^(#|\/\/)/.test(command);
  // A line that begins with a slash is looked at with the slash commands.
  const isSlash = /^[/\uFF0F\u2044\u2215\u29F8]\p{L}/u.test(command);
  if (isNote || isSlash || !(isShell || prompt !== "" || isCommand(command, names))) return line;
  return `${line.slice(0, start)}${prompt}${await strike(command)}`;
}

/** Spans of code, and the sentences around them. */
async function holdText(line: string, names: ReadonlySet<string>, strike: Strike): Promise<string> {
  if (/^\s*\$\s/.test(line)) return holdLine(line, names, true, strike);
  const parts = line.split(/(`+[^`]*`+)/);
  const held = await Promise.all(
    parts.map(async (part, index) => {
      if (index % 2 === 0) return holdSentence(part, names, strike);
      const [, open = "", code = "", close = ""] = /^(`+)([^`]*)(`+)$/.exec(part) ?? [];
      return `${open}${await holdLine(code, names, false, strike)}${close}`;
    }),
  );
  return held.join("");
}

async function holdSentence(text: string, names: ReadonlySet<string>, strike: Strike): Promise<string> {
  const name = `(?:sudo\\s+)?(?:${[...names].map(escapePattern).join("|")})`;
  const edge = "(?<![\\p{L}\\p{N}_./:@#-])";
  const word = `(?!(?:${GOING_ON})\\b)[\\p{L}\\p{N}_][^\\s\`.,;:!?)]*`;
  const withArgument = `${edge}${name}(?:\\s+[a-z][a-z-]*)?(?:\\s+${ARGUMENT})+`;
  const ordered = `(?<=\\b(?:${ORDERS})\\s+["'(]?)${name}(?:\\s+${word}){1,6}`;
  const pattern = new RegExp(`${withArgument}|${ordered}`, "giu");
  let done = "";
  let last = 0;
  for (const match of text.matchAll(pattern)) {
    const command = match[0].replace(/[.,;:!?"')]+$/, "");
    done += text.slice(last, match.index) + (await strike(command));
    last = match.index + command.length;
  }
  return done + text.slice(last);
}

/** In a span or a block of code: a known program with anything behind it, or any word with a flag behind it. */
function isCommand(code: string, names: ReadonlySet<string>): boolean {
  const [first = "", second, ...rest] = code.split(/\s+/);
  const program = first.slice(first.lastIndexOf("/") + 1);
  if (second === undefined) return false;
  if (names.has(program)) return true;
  return /^[a-z][a-z0-9._+-]*$/.test(program) && [second, ...rest].some((word) => FLAG.test(word));
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
