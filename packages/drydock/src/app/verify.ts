import { Check, CheckFile, type CheckResult, DrydockError } from "@drydock/protocol";
import { judgeTree } from "../engine/index.ts";
import { createPathRules } from "../policy/index.ts";
import { openWorkbench, resolveWorkspace } from "../sandbox/index.ts";
import type { VerifyOptions, VerifyResult } from "./dock.ts";
import { asDrydockError, type ExecPorts } from "./exec.ts";
import { createTreeContents, createTreeRunner } from "./run-on-tree.ts";
import { measureDirectory, openSince, type StrengthPlace } from "./verify-strength.ts";

type Ports = ExecPorts & { searchPath: string };

/** Judges a directory as it stands: no layer, and none of the rules that hold for a task. */
export async function verify(ports: Ports, options: VerifyOptions): Promise<VerifyResult> {
  const checks = readChecks(options.checks);
  const workspace = resolveWorkspace(options.workspace, ports.own);
  const { effective: policy } = await ports.policies.resolve({ workspace, request: options.policy });
  if (!policy.files.access) throw noAccess();
  const { searchPath } = ports;
  const since = await openSince({ workspace, searchPath }, options.strength?.since);
  const { id: runId } = await ports.ledger.createRun({
    kind: "verify",
    title: `verify: ${checks.length} ${checks.length === 1 ? "check" : "checks"}`,
    workspace,
    data: { policy, request: { workspace, checks } },
  });
  try {
    const place = { runId, workspace, policy, searchPath };
    return { runId, ...(await judge(ports, { ...options, checks }, place, since)) };
  } catch (error) {
    const known = asDrydockError(error);
    const type = known.code === "run.cancelled" ? "run.cancelled" : "run.failed";
    await ports.ledger.finish(runId, { type, data: { error: known.toInfo(), verdict: "unverified", treeHash: null } });
    throw known;
  }
}

async function judge(
  ports: ExecPorts,
  { checks, signal, onCheck, strength }: VerifyOptions & { checks: Check[] },
  place: StrengthPlace,
  since: Awaited<ReturnType<typeof openSince>>,
): Promise<Omit<VerifyResult, "runId">> {
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
    const { verdict, treeHash, repeated } = verification;
    const type = verdict === "passed" ? "run.succeeded" : "run.failed";
    const measured =
      strength && verdict === "passed"
        ? await measureDirectory(ports, place, { ...strength, checks, treeHash, signal }, since)
        : null;
    const told = measured ? { strength: measured.strength } : {};
    await ledger.finish(runId, { type, data: { error: null, verdict, treeHash, repeated, ...told } });
    const results = verification.checks.map((result, index) => {
      const own = measured?.perCheck[index];
      return own ? { ...result, strength: own } : result;
    });
    return { ...verification, checks: results, ...told };
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
