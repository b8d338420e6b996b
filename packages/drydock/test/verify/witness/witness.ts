import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { type JudgeContext, runOnTree } from "../../../src/engine/verify/judge-context.ts";
import { makeTree } from "../../../src/engine/verify/testing/directory-tree.ts";
import { runWitnessed, type WitnessRequest } from "../../../src/engine/verify/witness/run-witnessed.ts";
import type { WitnessReport } from "../../../src/engine/verify/witness/witness-report.ts";
import { createPathRules } from "../../../src/policy/index.ts";
import type { Mount } from "../../../src/sandbox/index.ts";
import { openTreeDock, type TreeDock } from "../../testing/tree-dock.ts";

const PACKAGES = join(import.meta.dirname, "../../../../../node_modules");

export type Files = Record<string, string>;
export interface Witnessing extends Partial<WitnessRequest> {
  timeoutSeconds?: number;
  /** A workspace that an earlier run left; its other files stay. */
  workspace?: string;
  /** The repository's own packages are to be found at /extension/node_modules. */
  withPackages?: boolean;
}

/** Runs commands on real trees in a real sandbox. */
export function openWitness() {
  let dock: TreeDock;
  beforeAll(async () => {
    dock = await openTreeDock();
  });
  afterAll(() => dock.close());

  function prepare(files: Files, workspace: string, mounts: Mount[] = []): JudgeContext {
    return {
      tree: makeTree(files),
      before: null,
      policy: dock.policy,
      rules: createPathRules(dock.policy),
      runner: { run: (each) => dock.run(workspace, each, dock.policy, mounts) },
      services: [],
      noteChanged: () => {},
    };
  }

  function run(files: Files, command: string, { timeoutSeconds = 60, ...options }: Witnessing = {}) {
    const { workspace = dock.makeWorkspace(files), withPackages, ...request } = options;
    const mounts = withPackages ? [{ source: PACKAGES, target: "/extension/node_modules" }] : [];
    const context = prepare(files, workspace, mounts);
    return runWitnessed(context, { command, services: [], mode: "report", ...request }, timeoutSeconds);
  }
  return {
    makeWorkspace: (files: Files) => dock.makeWorkspace(files),
    run,
    /** The same command, without a witness. */
    bare(files: Files, code: string) {
      const context = prepare(files, dock.makeWorkspace(files));
      return runOnTree(context, { language: "bash", code, timeoutSeconds: 60 });
    },
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
