import { afterAll, beforeAll } from "vitest";
import type { JudgeContext } from "../../../src/engine/verify/judge-context.ts";
import { readDirectoryTree } from "../../../src/engine/verify/testing/directory-tree.ts";
import { runWitnessed, type WitnessRequest } from "../../../src/engine/verify/witness/run-witnessed.ts";
import type { WitnessReport } from "../../../src/engine/verify/witness/witness-report.ts";
import { createPathRules } from "../../../src/policy/index.ts";
import { openTreeDock, type TreeDock } from "../../dock/tree-dock.ts";
import { installPackages } from "./install-packages.ts";

export type Files = Record<string, string>;
export interface Witnessing extends Partial<WitnessRequest> {
  timeoutSeconds?: number;
  /** Packages of this repository that the workspace has installed. */
  packages?: string[];
}

/** Runs commands on real trees in a real sandbox. */
export function openWitness() {
  let dock: TreeDock;
  beforeAll(async () => {
    dock = await openTreeDock();
  });
  afterAll(() => dock.close());

  async function run(
    files: Files,
    command: string,
    { timeoutSeconds = 60, packages = [], ...request }: Witnessing = {},
  ) {
    const workspace = dock.makeWorkspace(files);
    const tree = readDirectoryTree(workspace);
    installPackages(workspace, packages);
    const context: JudgeContext = {
      tree,
      before: null,
      policy: dock.policy,
      rules: createPathRules(dock.policy),
      runner: { run: (each) => dock.run(workspace, each) },
      services: [],
      noteChanged: () => {},
    };
    return runWitnessed(context, { command, services: [], mode: "report", ...request }, timeoutSeconds);
  }
  return {
    run,
    /** The report of a command that must give one. */
    async report(files: Files, command: string, options?: Witnessing): Promise<WitnessReport> {
      const { report, result } = await run(files, command, options);
      if (!report) throw new Error(`no report: ${JSON.stringify(result.error)}\n${result.stdout}\n${result.stderr}`);
      return report;
    },
  };
}

/** `{ id: outcome }` */
export function outcomes({ tests }: WitnessReport): Record<string, string> {
  return Object.fromEntries(tests.map(({ id, outcome }) => [id, outcome]));
}

/** Who asked for a file, and how. */
export const askersOf = ({ files }: WitnessReport, wanted: string) =>
  files
    .filter(({ path }) => path === wanted)
    .map(({ how, by }) => `${how} by ${by}`)
    .sort();
