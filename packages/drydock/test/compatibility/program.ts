import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/**
 * One small program, written as a file of its own. Comments in its first lines say how it is started:
 * `# file`: as a file instead of with `-c`; `# workspace`: beside the files of `workspace/`;
 * `# args: …` and `# stdin: …` (with `\n` for a line feed) are what their names say.
 */
export interface Program {
  name: string;
  code: string;
  asFile: boolean;
  inWorkspace: boolean;
  args: string[];
  stdin: string;
}

const PROGRAMS = join(import.meta.dirname, "programs");
export const WORKSPACE = join(import.meta.dirname, "workspace");

export function readPrograms(): Program[] {
  return readdirSync(PROGRAMS)
    .filter((file) => file.endsWith(".py"))
    .sort()
    .map((file) => parseProgram(basename(file, ".py"), readFileSync(join(PROGRAMS, file), "utf8")));
}

function parseProgram(name: string, code: string): Program {
  const head = /^(?:#.*\n)*/.exec(code)?.[0] ?? "";
  const directive = (word: string) => new RegExp(`^# ${word}(?:: (.*))?$`, "m").exec(head);
  return {
    name,
    code,
    asFile: directive("file") !== null,
    inWorkspace: directive("workspace") !== null,
    args: directive("args")?.[1]?.split(" ") ?? [],
    stdin: directive("stdin")?.[1]?.replaceAll("\\n", "\n") ?? "",
  };
}
