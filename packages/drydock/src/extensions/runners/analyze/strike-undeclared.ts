import { excerpt } from "./analysis-finding.ts";
import { strikeShell } from "./strike-shell.ts";
import { type CheckedAnswer, type DeclaredActions, STRUCK_OUT } from "./struck-command.ts";

/** A slash, or what looks like one, before a word that no other slash follows: a command, and no path. */
const COMMAND =
  /(?<![\p{L}\p{N}/~<]|(?:^|[\s"'`(])\.{1,2})[/\uFF0F\u2044\u2215\u29F8](?=\p{L})[\p{L}\p{N}_-]+(?![\p{L}\p{N}_/])/u;
/** Characters that are not seen, or that turn the order of others: what is read must be what is there. */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF]|[\uFE00-\uFE0F]|[\u{E0000}-\u{E007F}]/gu;
const SLASH_ENTITY = /&(#0*47|#x0*2f|sol);/gi;
/** A word of a sentence, and nothing that a command would need. */
const PROSE = /^[(“‘]?\p{L}+(['’]\p{L}+)?[”’)*_]*[.,;:!?]*$|^[–—&]$/u;
const CLAUSE_END = /[.,;:!?)]$/;
const COMMAND_ONLY = /^-{1,2}[A-Za-z]|:\/\//;
const TRAILING = /[)\]}.,;:!?'"”’*_`]+$/;
const MAX_ANSWER_CHARS = 200_000;
const MAX_PROPOSALS = 200;
const MAX_WORDS = 40;

/**
 * Takes out of a model's answer every command that could not be called as it stands there. Which ones those are is not the
 * model's word, nor that of the documents it was shown: each is held against what is declared.
 */
export async function strikeUndeclared(answer: string, declared: DeclaredActions): Promise<CheckedAnswer> {
  const seen = answer.slice(0, MAX_ANSWER_CHARS).replace(UNSEEN, "").replace(SLASH_ENTITY, "/");
  const { text: shellLess, struck } = await strikeShell(seen, declared);
  let rest = shellLess;
  let text = "";
  for (let proposals = 0; ; proposals++) {
    const match = COMMAND.exec(rest);
    if (!match) return { text: text + rest, struck };
    const before = rest.slice(0, match.index);
    const after = rest.slice(match.index);
    if (proposals >= MAX_PROPOSALS) {
      struck.push({ line: excerpt(after), reason: "the answer proposes more commands than are looked at" });
      return { text: `${text}${before}${STRUCK_OUT}`, struck };
    }
    const isCode = opensCode(text + before);
    const { length, reason } = isCode ? await holdCode(after, declared) : await holdProse(after, declared);
    if (reason !== null) struck.push({ line: excerpt(after.slice(0, length)), reason });
    text += before + (reason === null ? after.slice(0, length) : STRUCK_OUT);
    rest = after.slice(length);
  }
}

interface Held {
  /** How far the command reaches. */
  length: number;
  reason: string | null;
}

/** In a code span: to its end. */
async function holdCode(after: string, { actions, refusal }: DeclaredActions): Promise<Held> {
  const end = after.search(/[`\n]/);
  const line = end === -1 ? after : after.slice(0, end);
  const words = line.trim();
  const isNamed = actions.some((action) => action === words || action.startsWith(`${words} `));
  return { length: line.length, reason: isNamed ? null : await refusal(words) };
}

/**
 * In a sentence, or on a line of its own: to the end of the line or the next command, less the words of the sentence that
 * goes on behind it. Only plain words are ever taken for such; whatever could be a flag, a value or an address belongs to
 * the command.
 */
async function holdProse(after: string, { actions, refusal }: DeclaredActions): Promise<Held> {
  const line = after.slice(0, endOfProse(after));
  const words = [...line.matchAll(/\S+/g)].map((word) => ({ text: word[0], end: word.index + word[0].length }));
  const lastNeeded = Math.max(
    0,
    words.findLastIndex(({ text }) => !PROSE.test(text)),
  );
  const ends = words
    .slice(lastNeeded, lastNeeded + MAX_WORDS)
    .flatMap(({ text, end }) => [end, end - (TRAILING.exec(text)?.[0].length ?? 0)])
    .reverse();
  let first: string | null = null;
  for (const end of new Set(ends)) {
    const candidate = line.slice(0, end);
    const isWhole = line.slice(end).replace(TRAILING, "").trim() === "";
    const isNamed =
      actions.includes(candidate) || (isWhole && actions.some((each) => each.startsWith(`${candidate} `)));
    const reason = isNamed ? null : await refusal(candidate);
    // The command alone says nothing yet where words follow: they could name an action that there is not.
    if (reason === null && (candidate.includes(" ") || isWhole)) return { length: end, reason: null };
    first ??= reason;
  }
  return { length: endOfCommand(words, line.length), reason: first ?? "it names no action that is declared" };
}

interface Word {
  text: string;
  end: number;
}

/**
 * How far a command that is struck out reaches: its name, the word that may name an action, and what no sentence has. The
 * words of the sentence behind it stay. A flag or an address further on still belongs to it, as long as the clause goes on.
 */
function endOfCommand(words: readonly Word[], length: number): number {
  let last = CLAUSE_END.test(words[0]?.text ?? "") ? 0 : Math.min(1, words.length - 1);
  for (let index = last; index < words.length && index <= MAX_WORDS; index++) {
    const { text } = words[index] ?? { text: "" };
    const isNear = index <= last + 2 && !PROSE.test(text);
    if (isNear || COMMAND_ONLY.test(text)) last = index;
    // A dot alone is a value, and a flag is never the start of a clause.
    const isEnd = CLAUSE_END.test(text) && /[\p{L}\p{N}]/u.test(text);
    if (isEnd && !COMMAND_ONLY.test(words[index + 1]?.text ?? "")) break;
  }
  const end = words[Math.max(0, last)];
  return end ? end.end - (TRAILING.exec(end.text)?.[0].length ?? 0) : length;
}

function endOfProse(after: string): number {
  const line = after.split("\n", 1)[0] ?? "";
  const next = COMMAND.exec(line.slice(1));
  const end = next === null ? line.length : next.index + 1;
  return line.slice(0, end).replace(/[\s|"'`(]+$/, "").length;
}

/** Whether a span or a block of code is open where a text ends. */
function opensCode(before: string): boolean {
  const line = before.slice(before.lastIndexOf("\n") + 1);
  if ((before.match(/^\s*(?:`{3,}|~{3,})/gm)?.length ?? 0) % 2 === 1) return true;
  return (line.match(/`/g)?.length ?? 0) % 2 === 1;
}
