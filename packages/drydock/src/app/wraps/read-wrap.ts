import { existsSync } from "node:fs";
import { DrydockError, type Layer, type PolicyDocument, type RequiredCheck } from "@drydock/protocol";
import { overlayRequests, permitsCommand, pickEnvironment, type ResolvedPolicy } from "../../policy/index.ts";
import { type Mount, resolveWorkspace } from "../../sandbox/index.ts";
import { commandDeniedError } from "../execute/index.ts";
import { type OptionNames, refuseUnknownOptions } from "../runs/refuse-unknown-options.ts";
import { requireRun } from "../runs/require-run.ts";
import { createTreeContents } from "../runs/run-on-tree.ts";
import { collectChecks } from "../verify/index.ts";
import type { WrapOptions } from "./api.ts";
import { readCheckpointLayer } from "./checkpoint-record.ts";
import { findProgram } from "./find-program.ts";
import { nameHome } from "./program-home.ts";
import type { WrapPorts } from "./wrap-ports.ts";

const WRAP_OPTIONS = {
  ...{ command: true, workspace: true, policy: true, checks: true, mayChange: true, from: true, fromCheckpoint: true },
  ...{
    home: true,
    environment: true,
    terminal: true,
    stdin: true,
    adapter: true,
    harness: true,
    mounts: true,
    onOutput: true,
    onReading: true,
    onReady: true,
  },
  ...{ onEnded: true, onCheck: true, decide: true, confirmAutorun: true, signal: true },
} as const satisfies OptionNames<WrapOptions>;

/** What a program needs to know of the terminal that it is on. */
const OF_TERMINALS = ["TERM", "COLORTERM", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE"];
const TERMINFO = ["/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo"];
const USUAL_TERM = "xterm-256color";

/** A request that was read and found to be possible. */
export interface ReadWrap {
  workspace: string;
  resolved: ResolvedPolicy;
  checks: RequiredCheck[];
  /** As it is called inside. */
  argv: string[];
  mounts: Mount[];
  notes: string[];
  homeName: string;
  environment: Record<string, string>;
}

export async function readWrap(ports: WrapPorts, options: WrapOptions): Promise<ReadWrap> {
  refuseUnknownOptions(WRAP_OPTIONS, options);
  const [program] = options.command;
  if (program === undefined || program === "") {
    throw new DrydockError(
      "input.invalid",
      "There is no program to wrap.",
      "Name one after --, as in: drydock wrap -- bash",
    );
  }
  const workspace = resolveWorkspace(options.workspace, ports.own);
  const { named, values } = readVariables(options.environment ?? []);
  const resolved = await resolvePolicy(ports, workspace, options.policy, named);
  const { effective } = resolved;
  if (!effective.files.access) {
    throw new DrydockError(
      "policy.path_denied",
      "The policy gives runs no access to files (files.access: false).",
      "Set `files.access: true` in the home policy to wrap a program.",
    );
  }
  const { commands } = effective;
  if (!permitsCommand(commands, options.command)) {
    throw commandDeniedError({ argv: [...options.command], commands }, resolved);
  }
  const checks = await collectChecks(resolved, workspace, options.checks ?? []);
  const { searchPath, home } = ports;
  const found = findProgram(options.command, { searchPath, workspace, cacheDirectory: `${home}/cache` });
  const environment = {
    ...pickEnvironment(effective.environment.allow, ports.environment),
    ...(options.terminal && describeTerminal(ports.environment)),
    ...values,
  };
  const { argv, notes, isOfWorkspace } = found;
  const mounts = [...found.mounts, ...(options.mounts ?? [])];
  const homeName = nameHome(program, options.home, isOfWorkspace ? workspace : null);
  return { workspace, resolved, checks, argv, notes, mounts, homeName, environment };
}

/**
 * A person sits at it, for hours perhaps: it gets all that the owner lets be asked for, unless the request names less.
 */
async function resolvePolicy(
  { policies }: WrapPorts,
  workspace: string,
  request: PolicyDocument | undefined,
  variables: readonly string[],
): Promise<ResolvedPolicy> {
  const { ceiling, effective } = await policies.resolve({ workspace });
  const { concurrency: _whole, ...limits } = ceiling.limits;
  const allow = [...new Set([...effective.environment.allow, ...variables])];
  const wanted: PolicyDocument = { limits, ...(variables.length > 0 && { environment: { allow } }) };
  const joined = overlayRequests(wanted, request);
  return policies.resolve({ workspace, request: { ...joined, limits: { ...limits, ...request?.limits } } });
}

/** `NAME` is a variable of the caller, which the policy has to allow; `NAME=VALUE` is the request's own. */
function readVariables(entries: readonly string[]): { named: string[]; values: Record<string, string> } {
  const named: string[] = [];
  const values: Record<string, string> = {};
  for (const entry of entries) {
    const at = entry.indexOf("=");
    const name = at < 0 ? entry : entry.slice(0, at);
    if (!/^[A-Za-z_]\w{0,127}$/.test(name) || entry.includes("\0")) {
      const hint = "Give NAME or NAME=VALUE; a name has letters, digits and underscores.";
      throw new DrydockError("input.invalid", `${JSON.stringify(name)} is no name of a variable.`, hint);
    }
    if (at < 0) named.push(name);
    else values[name] = entry.slice(at + 1);
  }
  return { named, values };
}

/** A terminal that the system inside has no description of is called by the name that nearly all of them understand. */
function describeTerminal(environment: WrapPorts["environment"]): Record<string, string> {
  const variables = pickEnvironment(OF_TERMINALS, environment);
  const { TERM = "" } = variables;
  const isKnown = /^[\w.+-]+$/.test(TERM) && TERMINFO.some((place) => existsSync(`${place}/${TERM[0]}/${TERM}`));
  return { ...variables, TERM: isKnown ? TERM : USUAL_TERM };
}

/** The changes that it starts from, on the workspace as it is now. Their contents belong to the new run from here on. */
export async function readStart(
  ports: WrapPorts,
  runId: string,
  { from, fromCheckpoint, signal }: Pick<WrapOptions, "from" | "fromCheckpoint" | "signal">,
  { workspace, resolved }: Pick<ReadWrap, "workspace" | "resolved">,
): Promise<Layer | undefined> {
  if (from === undefined) return undefined;
  const { ledger } = ports;
  const { layer } = await readCheckpointLayer(ledger, from, fromCheckpoint);
  const contents = createTreeContents(ledger, runId);
  for (const { kind, sha256 } of layer.entries) {
    if (kind !== "deleted" && sha256 !== undefined) await contents.put(await ledger.blobs.readWhole(sha256));
  }
  const workbench = await ports.sandbox().openWorkbench({ workspace, policy: resolved.effective, contents, signal });
  try {
    const rebased = await workbench.rebase(layer);
    if (rebased.ok) return rebased.layer;
    throw new DrydockError(
      "delivery.conflict",
      `The changes of ${from} don't fit the workspace any more: ${rebased.conflicts.slice(0, 5).join(", ")}.`,
      `The workspace was changed at the same places. Look at both: \`drydock runs diff ${from}\`.`,
      { runId: from, files: rebased.conflicts.slice(0, 50) },
    );
  } finally {
    await workbench.close();
  }
}

/** A run whose files another one can start from: a wrap of the same workspace. */
export async function requireStart(ports: WrapPorts, from: string, workspace: string): Promise<void> {
  const run = await requireRun(ports.ledger, from);
  if (run.kind !== "wrap") {
    const hint = "Name a run of `drydock wrap`: `drydock runs list --kind wrap` lists them.";
    throw new DrydockError("input.invalid", `Run ${from} is no wrap, but of the kind ${run.kind}.`, hint);
  }
  if (run.workspace === workspace) return;
  const hint = `Give --workspace ${run.workspace}.`;
  throw new DrydockError("input.invalid", `Run ${from} worked on another workspace, ${run.workspace}.`, hint);
}
