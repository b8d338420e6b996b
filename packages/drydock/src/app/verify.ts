import { resolve } from "node:path";
import { Check, CheckFile, type CheckResult, DrydockError, type EffectivePolicy } from "@drydock/protocol";
import { judgeTree } from "../engine/index.ts";
import { createPathRules } from "../policy/index.ts";
import { openWorkbench, resolveWorkspace } from "../sandbox/index.ts";
import type { VerifyOptions, VerifyResult } from "./dock.ts";
import { asDrydockError, type ExecPorts } from "./exec.ts";
import { createTreeContents, createTreeRunner } from "./run-on-tree.ts";

/** Judges a directory as it stands: no layer, and none of the rules that hold for a task. */
export async function verify(ports: ExecPorts, options: VerifyOptions): Promise<VerifyResult> {
  const checks = readChecks(options.checks);
  const checksFile = options.checksFile === undefined ? undefined : resolve(options.checksFile);
  const workspace = resolveWorkspace(options.workspace, ports.own);
  const { effective: policy } = await ports.policies.resolve({ workspace, request: options.policy });
  if (!policy.files.access) throw noAccess();
  const { id: runId } = await ports.ledger.createRun({
    kind: "verify",
    title: `verify: ${checks.length} ${checks.length === 1 ? "check" : "checks"}`,
    workspace,
    data: { policy, request: { workspace, checks, ...(checksFile !== undefined && { checksFile }) } },
  });
  try {
    return { runId, ...(await judge(ports, { ...options, checks }, { runId, workspace, policy })) };
  } catch (error) {
    const known = asDrydockError(error);
    const type = known.code === "run.cancelled" ? "run.cancelled" : "run.failed";
    await ports.ledger.finish(runId, { type, data: { error: known.toInfo(), verdict: "unverified", treeHash: null } });
    throw known;
  }
}

async function judge(
  ports: ExecPorts,
  { checks, signal, onCheck }: VerifyOptions & { checks: Check[] },
  place: { runId: string; workspace: string; policy: EffectivePolicy },
) {
  const { ledger } = ports;
  const { runId, policy } = place;
  const contents = createTreeContents(ledger, runId);
  const bench = await openWorkbench({ workspace: place.workspace, rules: createPathRules(policy), contents });
  const tell = async (result: CheckResult, round: number) => {
    await ledger.append(runId, [{ type: "check.finished", data: { ...result, round } }]);
    onCheck?.(result);
  };
  try {
    const verification = await judgeTree({
      checks,
      tree: bench.tree(null),
      before: null,
      scope: [],
      policy,
      runner: createTreeRunner(ports, place),
      signal,
      onCheck: tell,
      refresh: async () => ((await bench.refresh()) ? { tree: bench.tree(null), before: null } : null),
    });
    const { verdict, treeHash, repeated, reason } = verification;
    const type = verdict === "passed" ? "run.succeeded" : "run.failed";
    await ledger.finish(runId, {
      type,
      data: { error: null, verdict, treeHash, repeated, ...(reason !== undefined && { reason }) },
    });
    return verification;
  } finally {
    await bench.close();
  }
}

function readChecks(checks: unknown): Check[] {
  const parsed = CheckFile.safeParse({ checks });
  if (parsed.success) return parsed.data.checks;
  const [issue] = parsed.error.issues;
  const known = Check.options.map((option) => option.shape.type.value).join(", ");
  throw new DrydockError(
    "input.invalid",
    `The checks can't be read: ${issue?.path.join(".")}: ${issue?.message}.`,
    `Each check has a type (${known}) and the fields of that type.`,
  );
}

function noAccess(): DrydockError {
  return new DrydockError(
    "policy.path_denied",
    "The policy gives runs no access to files (files.access: false).",
    "Set `files.access: true` in the home policy to judge a directory.",
  );
}
