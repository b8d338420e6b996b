import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EffectivePolicy, Layer } from "@drydock/protocol";
import { readConfig } from "../../src/app/config.ts";
import { claimPlace } from "../../src/app/run-place.ts";
import { createTreeContents, createTreeRunner } from "../../src/app/runs/run-on-tree.ts";
import { writeFiles } from "../../src/base/testing/write-files.ts";
import type { TreeRun, TreeRunResult } from "../../src/engine/ports.ts";
import { createRedactor, type Ledger, openLedger, readOwner } from "../../src/ledger/index.ts";
import { resolvePolicy } from "../../src/policy/index.ts";
import {
  createSandbox,
  KERNEL_DIRECTORY,
  type Mount,
  type Sandbox,
  type TreeContents,
  type Workbench,
} from "../../src/sandbox/index.ts";

export interface TreeDock {
  readonly sandbox: Sandbox;
  /** Where contents too large for memory are put on the way. */
  readonly spool: string;
  readonly ledger: Ledger;
  readonly contents: TreeContents;
  readonly policy: EffectivePolicy;
  makeWorkspace(files: Record<string, string | Uint8Array>): string;
  openBench(workspace: string, policy?: EffectivePolicy): Promise<Workbench>;
  /** Python code on a tree, as the engine has it run. */
  python(workspace: string, layer: Layer | null, code: string, more?: Partial<TreeRun>): Promise<TreeRunResult>;
  run(workspace: string, run: TreeRun, policy?: EffectivePolicy, mounts?: Mount[]): Promise<TreeRunResult>;
  /** The same without a sandbox. */
  unconfined(workspace: string, layer: Layer, code: string): Promise<{ stdout: string; layer: Layer; error: unknown }>;
  close(): Promise<void>;
}

export function narrowed(policy: EffectivePolicy, limits: Partial<EffectivePolicy["limits"]>): EffectivePolicy {
  return { ...policy, limits: { ...policy.limits, ...limits } };
}

/** Everything that runs on trees need, on a home of its own. */
export async function openTreeDock(directory = mkdtempSync(join(tmpdir(), "drydock-trees-"))): Promise<TreeDock> {
  const home = join(directory, "home");
  mkdirSync(home, { mode: 0o700 });
  const config = readConfig();
  const redactor = createRedactor({ environment: {}, allowedNames: () => true, patterns: [] });
  const ledger = await openLedger({ home, synchronous: "normal", owner: readOwner(), redactor });
  const place = claimPlace(config, home, undefined);
  const sandbox = createSandbox({
    ...place,
    kernel: KERNEL_DIRECTORY,
    own: [home],
    userHome: config.userHome,
    warm: 1,
  });
  const { id: runId } = await ledger.createRun({ kind: "goal", title: "trees", workspace: null, data: {} });
  const { effective: policy } = resolvePolicy({ home: null, workspace: null });
  const contents = createTreeContents(ledger, runId);
  const ports = { ledger, sandbox: () => sandbox, environment: {}, expect: () => {} };
  const run: TreeDock["run"] = (workspace, request, own = policy, mounts = []) =>
    createTreeRunner(ports, { runId, workspace, policy: own, mounts }).run(request);
  const [spool = ""] = readdirSync(place.directory).filter((name) => name.startsWith("spool-"));
  return {
    sandbox,
    spool: join(place.directory, spool),
    ledger,
    contents,
    policy,
    makeWorkspace(files) {
      const workspace = mkdtempSync(join(directory, "workspace-"));
      chmodSync(workspace, 0o755);
      writeFiles(workspace, files);
      return workspace;
    },
    openBench: (workspace, own = policy) => sandbox.openWorkbench({ workspace, policy: own, contents }),
    run,
    python: (workspace, layer, code, more) =>
      run(workspace, { layer, language: "python", code, timeoutSeconds: 30, ...more }),
    async unconfined(workspace, layer, code) {
      const work = { language: "python", code } as const;
      const base = { layer, contents };
      const outcome = await sandbox.run({ work, policy, workspace, environment: {}, unconfined: true, base });
      return { stdout: outcome.stdout.toString(), layer: outcome.layer, error: outcome.error };
    },
    async close() {
      await sandbox.close();
      await ledger.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
