import type { Language } from "@drydock/protocol";
import type { FlagsOf, FlagTable } from "../flags/flag.ts";
import { RUN_FLAGS } from "../flags/run-flags.ts";

const LANGUAGES = ["python", "node", "bash"] as const satisfies readonly Language[];

/** All options of `drydock exec`. */
export const EXEC_FLAGS = {
  code: { short: "c", value: "code", help: "the code itself" },
  lang: { value: "language", choices: LANGUAGES, help: "the language (default: python)" },
  workspace: { value: "dir", help: "the directory that the code sees; without one, an empty scratch directory" },
  session: { value: "id", help: "run as the next step of this session" },
  stdin: { value: "file", help: "a file that the code reads as standard input; - passes on yours" },
  ...RUN_FLAGS,
  requirements: { value: "file", help: "Python packages for the code: a requirements.txt" },
  install: { help: "install missing packages, if the owner's policy allows the package index" },
  queue: { help: "let any worker carry it out, and wait for the result (needs DATABASE_URL)" },
  needs: { value: "labels", reads: "names", help: "with --queue: labels that the worker must have" },
  priority: { value: "number", help: "with --queue: from -20 to 20; higher goes first (default: 0)" },
  delay: { value: "seconds", reads: "positive", help: "with --queue: not before so many seconds" },
  unconfined: { help: "run without a sandbox, if the owner's policy allows that" },
} as const satisfies FlagTable;

export type ExecFlags = FlagsOf<typeof EXEC_FLAGS>;

/** A line of `drydock exec`, read. */
export interface ExecWords {
  file: string | undefined;
  args: string[];
  flags: ExecFlags;
}
