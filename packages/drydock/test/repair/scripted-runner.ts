import type { TreeRunner, TreeRunResult } from "../../src/engine/ports.ts";

/** A change at one place: a path, from where to where, and what comes there. Of several places, the files as they are after it. */
interface SentCandidate {
  id: number;
  edits: [path: string, start: number, end: number, replacement: string][];
  texts?: Record<string, string>;
}

/** What the program in the sandbox is asked for, as far as these tests look at it. */
export interface DriverRequest {
  job: "survey" | "tests" | "calls";
  seconds: number;
  candidates?: SentCandidate[];
  shell?: string;
  /** Of Node, where copies of it are asked for. */
  zygote?: string;
}

/**
 * A runner whose answers are written beforehand: for what a search makes of them. Everything else, such as the checks
 * themselves, ends with status 1, or as `confirm` says.
 */
export function createScriptedRunner(
  answer: (request: DriverRequest) => object[] | Promise<object[]>,
  confirm: () => Promise<number> = async () => 1,
): TreeRunner {
  return {
    async run({ layer, stdin = "" }) {
      const request = readDriverRequest(stdin);
      const lines = request ? await answer(request) : [];
      const stdout = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
      const exitCode = request ? 0 : await confirm();
      return {
        ok: exitCode === 0,
        stdout,
        stderr: "",
        error: null,
        exitCode,
        layer,
        changedUnderneath: [],
      } as unknown as TreeRunResult;
    },
  };
}

function readDriverRequest(stdin: string): DriverRequest | null {
  return /^\{.*"job":/s.test(stdin) ? (JSON.parse(stdin) as DriverRequest) : null;
}

/** One test passes, one fails on the only line of the first file. */
export const SURVEY = {
  tests: [
    ["a.test.js:1:passes", true, 0.01],
    ["a.test.js:2:fails", false, 0.01],
  ],
  ...{ errors: 0, untried: 0, imported: [], modules: [], calls: [], places: [], lines: [[0, 1, 1, 0]] },
};

/** A report of each candidate that was asked about. */
export function reportAll({ candidates = [] }: DriverRequest, result: { fixed: number; failing: number }): object[] {
  return candidates.map(({ id }) => ({ candidate: id, late: false, ...result }));
}
