import { parseArgs } from "node:util";
import { readHosts, readPositive } from "../read-run-policy.ts";
import { type ExecWords, LANGUAGES } from "./execute-code.ts";

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

/**
 * The words of a plain, correct `drydock exec`, read without loading the whole command line, which takes longer than
 * the run. Null for anything else, help and mistakes included: the whole command line knows what to say to those.
 */
export function readExecWords(words: readonly string[]): ExecWords | null {
  const [command, ...args] = words;
  if (command !== "exec") return null;
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        code: { ...text, short: "c" },
        lang: text,
        workspace: text,
        session: text,
        stdin: text,
        timeout: text,
        memory: text,
        net: { ...text, multiple: true },
        policy: text,
        requirements: text,
        install: flag,
        unsafe: flag,
        unconfined: flag,
        all: flag,
        debug: flag,
        json: flag,
      },
    });
    const { lang, timeout, memory, net, ...rest } = values;
    const [file, ...others] = positionals;
    const numbers = { timeout: readOptional(timeout), memory: readOptional(memory) };
    const language = LANGUAGES.find((each) => each === lang);
    if (numbers.timeout === null || numbers.memory === null || language !== lang) return null;
    const flags = {
      ...rest,
      lang: language,
      timeout: numbers.timeout,
      memory: numbers.memory,
      net: net?.flatMap(readHosts),
    };
    return { file, args: others, flags };
  } catch {
    return null;
  }
}

/** Null for text that is no number. */
function readOptional(value: string | undefined): number | undefined | null {
  return value === undefined ? undefined : (readPositive(value) ?? null);
}
