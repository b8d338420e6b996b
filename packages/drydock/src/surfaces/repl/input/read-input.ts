import { type CodeLanguage, looksLikeCode } from "../../../tasks/index.ts";

/** What the person wants. None of it is code of the host. */
export type ReplInput =
  | { kind: "nothing" }
  /** `line` is all of it, as it was typed. */
  | { kind: "command"; name: string; rest: string; line: string }
  /** `agent({ … })`: `source` begins with the bracket. */
  | { kind: "define"; name: string | null; source: string }
  /** `await summarize("…")`, perhaps with a variable that is to hold what comes back. */
  | { kind: "call"; agent: string; source: string; variable: string | null }
  | { kind: "code"; code: string }
  /** Words for the model, to be answered with code that is run. */
  | { kind: "task"; words: string }
  | { kind: "chat"; words: string };

export interface InputContext {
  language: CodeLanguage;
  agents: ReadonlySet<string>;
  variables: ReadonlySet<string>;
  /** Whether words can be answered. */
  hasModel: boolean;
}

const COMMAND = /^\/([a-z][a-z0-9]*(?:[_-][a-z0-9]+)*)(?:\s+([\s\S]*))?$/i;
const DEFINE = /^(?:(?:const|let|var)\s+)?(?:([A-Za-z_$][\w$]*)\s*=\s*)?agent\s*(?=\()/;
const CALL = /^(?:(?:(?:const|let|var)\s+)?([A-Za-z_$][\w$]*)\s*=\s*)?(?:await\s+)?([A-Za-z_$][\w$]*)\s*(?=\()/;
/** What leaves other interpreters. */
const LEAVE = /^(exit|quit)(?:\s*\(\s*\))?\s*;?$/;
const SINGLE_NAME = /^[\p{L}_$][\p{L}\p{N}_$]*;?$/u;
const EXECUTE = /^execute(?:\s+([\s\S]*))?$/;

export function readInput(text: string, context: InputContext): ReplInput {
  const trimmed = text.trim();
  if (trimmed === "") return { kind: "nothing" };
  const command = COMMAND.exec(trimmed);
  if (command) {
    const [line, name = "", rest = ""] = command;
    return { kind: "command", name: name.toLowerCase(), rest: rest.trim(), line };
  }
  const leave = LEAVE.exec(trimmed)?.[1];
  if (leave !== undefined && !context.variables.has(leave) && !context.agents.has(leave)) {
    return { kind: "command", name: "exit", rest: "", line: trimmed };
  }
  const definition = DEFINE.exec(trimmed);
  if (definition) return { kind: "define", name: definition[1] ?? null, source: trimmed.slice(definition[0].length) };
  const call = CALL.exec(trimmed);
  if (call?.[2] !== undefined && context.agents.has(call[2]) && isOneCall(trimmed, call[0].length)) {
    return { kind: "call", agent: call[2], source: trimmed.slice(call[0].length), variable: call[1] ?? null };
  }
  const execute = EXECUTE.exec(trimmed);
  if (execute) return readExecution(execute[1] ?? "", context);
  if (looksLikeCode(text, context.language, context.variables)) return { kind: "code", code: text };
  // Without a model, a single word is no question: the interpreter says that it does not know the name.
  if (!context.hasModel && SINGLE_NAME.test(trimmed)) return { kind: "code", code: text };
  return { kind: "chat", words: trimmed };
}

/** What stands after `execute`: code, or words that are to become code. */
export function readExecution(
  text: string,
  { language, variables }: Pick<InputContext, "language" | "variables">,
): ReplInput {
  if (text.trim() === "") return { kind: "nothing" };
  if (looksLikeCode(text, language, variables)) return { kind: "code", code: text };
  return { kind: "task", words: text.trim() };
}

/** The bracket that opens at `from` closes at the end: `f(1) + 2` is code that names an agent, and no call. */
function isOneCall(text: string, from: number): boolean {
  let depth = 0;
  let quote = "";
  for (let at = from; at < text.length; at++) {
    const character = text[at] ?? "";
    if (quote !== "") {
      if (character === "\\") at += 1;
      else if (character === quote) quote = "";
    } else if (`"'\``.includes(character)) quote = character;
    else if ("([{".includes(character)) depth += 1;
    else if (")]}".includes(character) && --depth === 0) return /^\s*;?$/.test(text.slice(at + 1));
  }
  // An open one is reported as such when its arguments are read.
  return true;
}
