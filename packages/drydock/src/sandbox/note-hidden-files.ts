import type { EffectivePolicy } from "@drydock/protocol";
import { createPathRules } from "../policy/index.ts";

const MAX_TEXT_CHARS = 100_000;
const MAX_NAMED = 5;
const WORK_DIRECTORY = /^(?:\/work\/|\.\/)+/;
/** How programs say, in whatever language, that a file is not there. */
const MISSING_LINE = /no such file or directory|ENOENT|cannot open|not found/i;
const PATH_WORD = /[\w./@-]{2,200}/g;
/** Calls that name a file to be read, in Python and in JavaScript. */
const READING =
  /\b(?:open|Path|load_dotenv|dotenv_values|exists|isfile|readFile|readFileSync|createReadStream|existsSync)\(\s*["'`]([\w./@-]{2,200})["'`]/g;

/**
 * A hidden file looks to the code like one that was never there, and code that goes on without it says nothing. The
 * note depends on the policy and on the names in the code, not on whether the workspace has such a file: the code must
 * not learn that.
 */
export function noteHiddenFiles(code: string, stderr: Buffer, policy: EffectivePolicy): string[] {
  const { hidden } = createPathRules(policy);
  const complaints = stderr
    .subarray(-MAX_TEXT_CHARS)
    .toString()
    .split("\n")
    .filter((line) => MISSING_LINE.test(line));
  const named = [
    ...Array.from(code.slice(0, MAX_TEXT_CHARS).matchAll(READING), ([, path = ""]) => path),
    ...complaints.flatMap((line) => line.match(PATH_WORD) ?? []),
  ].map((path) => path.replace(WORK_DIRECTORY, ""));
  const found = [...new Set(named)].filter((path) => !path.startsWith("/") && !path.startsWith("..") && hidden(path));
  if (found.length === 0) return [];
  const more = found.length > MAX_NAMED ? " and others" : "";
  return [`the policy hides ${found.slice(0, MAX_NAMED).join(", ")}${more} from this run (files.hide)`];
}
