import type { Check } from "@drydock/protocol";
import type { JudgedTree } from "../verify/judged-tree.ts";

/** A command whose program can be started once and run many times. */
export type WarmCommand =
  | { language: "python"; run: "module" | "script"; name: string; args: string[]; environment: Record<string, string> }
  /** What `pytest` does: a module, without the working directory on the path. */
  | { language: "python"; run: "pytest"; name: "pytest"; args: string[]; environment: Record<string, string> }
  | { language: "node"; patterns: string[]; environment: Record<string, string> };

const NODE_FLAG =
  /^--(test|no-warnings|experimental-strip-types|enable-source-maps|test-(reporter|concurrency)(=.*)?)$/;
const SCRIPT_COMMAND = /^npm\s+(?:(?:-s|--silent)\s+)?(?:run\s+(?:(?:-s|--silent)\s+)?)?(t|test|[\w:-]+)$/;

/**
 * What a check runs, where that is pytest, another Python program or Node's test runner, started plainly. Null: it has to
 * be run as it stands, once for each mutant.
 */
export async function recognizeCommand(check: Check, tree: JudgedTree): Promise<WarmCommand | null> {
  if (check.type !== "command" || check.start !== undefined || check.junit !== undefined) return null;
  const line = (await findScript(check.cmd.trim(), tree)) ?? check.cmd.trim();
  const words = splitPlainWords(line);
  if (!words) return null;
  const environment: Record<string, string> = {};
  while (/^[A-Za-z_]\w*=/.test(words[0] ?? "")) {
    const [name = "", ...value] = (words.shift() ?? "").split("=");
    environment[name] = value.join("=");
  }
  const [program, ...args] = words;
  const isOddPython = Object.keys(environment).some((name) => name.startsWith("PYTHON") && name !== "PYTHONPATH");
  if (program === "node") return environment.NODE_OPTIONS === undefined ? readNode(args, environment) : null;
  if (program === undefined || isOddPython || line.includes("*")) return null;
  if (program === "pytest" || program === "py.test") {
    return { language: "python", run: "pytest", name: "pytest", args, environment };
  }
  return /^python3?$/.test(program) ? readPython(args, environment) : null;
}

function readPython(args: readonly string[], environment: Record<string, string>): WarmCommand | null {
  const rest = args.filter((word, index) => !(index === 0 && (word === "-B" || word === "-u")));
  const [first = "", second, ...others] = rest;
  if (first === "-m" && second !== undefined) {
    return { language: "python", run: "module", name: second, args: others, environment };
  }
  if (first.startsWith("-") || !first.endsWith(".py")) return null;
  return { language: "python", run: "script", name: first, args: rest.slice(1), environment };
}

function readNode(args: readonly string[], environment: Record<string, string>): WarmCommand | null {
  const flags = args.filter((word) => word.startsWith("-"));
  if (!flags.includes("--test") || flags.some((flag) => !NODE_FLAG.test(flag))) return null;
  return { language: "node", patterns: args.filter((word) => !word.startsWith("-")), environment };
}

/** The script that `npm test` stands for; null where something else runs before or after it. */
async function findScript(line: string, tree: JudgedTree): Promise<string | null> {
  const found = SCRIPT_COMMAND.exec(line)?.[1];
  if (found === undefined || tree.lookup("package.json")?.type !== "file") return null;
  const name = found === "t" ? "test" : found;
  try {
    const { scripts } = JSON.parse((await tree.read("package.json"))?.toString() ?? "{}");
    if (scripts[`pre${name}`] !== undefined || scripts[`post${name}`] !== undefined) return null;
    return typeof scripts[name] === "string" ? scripts[name].trim() : null;
  } catch {
    return null;
  }
}

/** The words of a command line in which the shell does nothing but split; null for any other. */
function splitPlainWords(line: string): string[] | null {
  const words: string[] = [];
  const pattern = /\s*((?:'[^']*'|"[^"$`\\!]*"|[^\s'"$`\\!;|&<>(){}[\]?~#])+)/gy;
  let end = 0;
  for (const match of line.matchAll(pattern)) {
    words.push((match[1] ?? "").replace(/'([^']*)'|"([^"]*)"/g, "$1$2"));
    end = match.index + match[0].length;
  }
  return line.slice(end).trim() === "" ? words : null;
}
