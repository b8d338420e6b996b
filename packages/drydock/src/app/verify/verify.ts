import { resolve } from "node:path";
import { type CheckResult, countWord, DrydockError, describeShortfall, type RequiredCheck } from "@drydock/protocol";
import { describeCheckType, judgeTree } from "../../engine/index.ts";
import { createPathRules, type ResolvedPolicy } from "../../policy/index.ts";
import { openWorkbench, resolveWorkspace } from "../../sandbox/index.ts";
import { type ExecPorts, nameReplayed, titleOfReplay } from "../runs/exec-ports.ts";
import { asDrydockError } from "../runs/refuse-run.ts";
import { type OptionNames, refuseUnknownOptions } from "../runs/refuse-unknown-options.ts";
import { createTreeContents, createTreeRunner } from "../runs/run-on-tree.ts";
import { workspaceChecksPath } from "../runs/workspace-checks-path.ts";
import type { VerifyOptions, VerifyResult } from "./api.ts";
import { joinChecks, listPolicyChecks, listRequestChecks, listWorkspaceChecks } from "./required-checks.ts";
import { measureDirectory, openSince, type StrengthContext } from "./verify-strength.ts";

const VERIFY_OPTIONS = {
  ...{ checks: true, checksFile: true, workspace: true, policy: true, strength: true },
  ...{ signal: true, onReading: true, onStart: true, onCheck: true },
} as const satisfies OptionNames<VerifyOptions>;

export type VerifyPorts = ExecPorts & { searchPath: string };

/** Judges a directory as it stands: no layer, and none of the rules that hold for a task. */
export async function verify(
  ports: VerifyPorts,
  options: VerifyOptions,
  extras: { replayOf?: string } = {},
): Promise<VerifyResult> {
  refuseUnknownOptions(VERIFY_OPTIONS, options);
  const workspace = resolveWorkspace(options.workspace, ports.own);
  const checksFile = findChecksFile(options, workspace);
  const resolved = await ports.policies.resolve({ workspace, request: options.policy });
  const { effective: policy } = resolved;
  if (!policy.files.access) throw noAccess();
  const checks = await chooseChecks(options.checks, workspace, resolved);
  const { searchPath } = ports;
  const since = await openSince({ workspace, searchPath }, options.strength?.since);
  const { id: runId } = await ports.ledger.createRun({
    kind: "verify",
    title:
      extras.replayOf === undefined ? `verify: ${countWord(checks.length, "check")}` : titleOfReplay(extras.replayOf),
    workspace,
    data: {
      policy,
      request: { workspace, checks, ...(checksFile !== undefined && { checksFile }) },
      ...nameReplayed(extras),
    },
  });
  try {
    const place = { runId, workspace, policy, searchPath };
    return { runId, ...(await judge(ports, options, checks, place, since)) };
  } catch (error) {
    const known = options.signal?.aborted ? cancelled() : asDrydockError(error);
    const type = known.code === "run.cancelled" ? "run.cancelled" : "run.failed";
    await ports.ledger.finish(runId, { type, data: { error: known.toInfo(), verdict: "unverified", treeHash: null } });
    throw known;
  }
}

/** The file of the checks, for reports: the one in the request, else the workspace's own. */
function findChecksFile({ checks, checksFile }: VerifyOptions, workspace: string): string | undefined {
  if (checksFile !== undefined) return resolve(checksFile);
  return checks === undefined ? workspaceChecksPath(workspace) : undefined;
}

async function judge(
  ports: ExecPorts,
  { signal, onReading: onProgress, onStart, onCheck, strength }: VerifyOptions,
  required: readonly RequiredCheck[],
  place: StrengthContext,
  since: Awaited<ReturnType<typeof openSince>>,
): Promise<Omit<VerifyResult, "runId">> {
  const { ledger } = ports;
  const { runId, policy } = place;
  const contents = createTreeContents(ledger, runId);
  const rules = createPathRules(policy);
  const workbench = await openWorkbench({ workspace: place.workspace, rules, contents, signal, onProgress });
  const nameSource = (result: CheckResult, index: number): CheckResult => {
    const source = required[index]?.source;
    return source === undefined ? result : { ...result, source };
  };
  const counts: number[] = [];
  const notes = new Set<string>();
  const recordResult = async (bare: CheckResult, round: number) => {
    // Results come in the order of the list, from the first again in each round.
    const index = counts[round] ?? 0;
    counts[round] = index + 1;
    const result = nameSource(bare, index);
    await ledger.append(runId, [{ type: "check.finished", data: { ...result, round } }]);
    onCheck?.(result);
  };
  try {
    const judged = await judgeTree({
      checks: required.map(({ check }) => check),
      tree: workbench.tree(null),
      before: null,
      scope: [],
      policy,
      runner: createTreeRunner(ports, { ...place, notes }),
      signal,
      onStart: (check) => onStart?.(check),
      onCheck: recordResult,
      refresh: async () => ((await workbench.refresh()) ? { tree: workbench.tree(null), before: null } : null),
    });
    const { treeHash, repeated } = judged;
    const checks = required.map(({ check }) => check);
    const measured =
      strength && judged.verdict === "passed"
        ? await measureDirectory(ports, place, { ...strength, checks, treeHash, signal }, since)
        : null;
    const measuredStrength = measured ? { strength: measured.strength } : {};
    const shortfall = measured && strength?.min !== undefined && describeShortfall(measured.strength, strength.min);
    const decided = shortfall ? { verdict: "failed" as const, reason: shortfall } : {};
    const verification = { ...judged, ...decided, checks: judged.checks.map(nameSource) };
    const { verdict, reason } = verification;
    const type = verdict === "passed" ? "run.succeeded" : "run.failed";
    await ledger.finish(runId, {
      type,
      data: { error: null, verdict, treeHash, repeated, ...(reason !== undefined && { reason }), ...measuredStrength },
    });
    const results = verification.checks.map((result, index) => {
      const own = measured?.perCheck[index];
      return own ? { ...result, strength: own } : result;
    });
    return { ...verification, checks: results, ...measuredStrength, notes: [...notes] };
  } finally {
    await workbench.close();
  }
}

/** Checks in the request replace the workspace's own; required checks are always added. */
async function chooseChecks(
  entries: VerifyOptions["checks"],
  workspace: string,
  resolved: ResolvedPolicy,
): Promise<RequiredCheck[]> {
  if (entries?.length === 0) throw noChecks("The list of checks is empty.", workspace);
  // Here there is no earlier tree: required checks about a change (`unchanged`) can't be judged, and are left out.
  const all = [...listPolicyChecks(resolved), ...(entries ? [] : await listWorkspaceChecks(workspace))];
  const standing = all.filter(({ check }) => !describeCheckType(check).comparesTrees);
  const checks = joinChecks([...standing, ...listRequestChecks(entries ?? [])]);
  if (checks.length === 0 && all.length > 0) throw onlyUnchanged(workspace);
  if (checks.length === 0) throw noChecks(`There is no check for ${workspace}.`, workspace);
  return checks;
}

function noChecks(message: string, workspace: string): DrydockError {
  return new DrydockError(
    "input.invalid",
    message,
    `Give a command that must end with status 0: --check 'pytest -q'. Or write checks to ${workspaceChecksPath(workspace)}, such as \`checks: ["pytest -q"]\`, or to a file: --checks FILE. Each is a command line, or an object with a type.`,
    { workspace },
  );
}

function onlyUnchanged(workspace: string): DrydockError {
  return new DrydockError(
    "input.invalid",
    `There is nothing to judge ${workspace} by: all its checks are \`unchanged\`, which compares with the start of a goal.`,
    "They hold for `drydock run`. For `drydock verify`, add a check that can be judged on the directory as it stands.",
    { workspace },
  );
}

function noAccess(): DrydockError {
  return new DrydockError(
    "policy.path_denied",
    "The policy gives runs no access to files (files.access: false).",
    "Set `files.access: true` in the home policy to judge a directory.",
  );
}

function cancelled(): DrydockError {
  return new DrydockError("run.cancelled", "The verification was cancelled.", "Start it again when you want it.");
}
