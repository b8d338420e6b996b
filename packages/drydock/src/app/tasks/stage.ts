import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  type Check,
  DrydockError,
  type EffectivePolicy,
  Layer,
  type PolicyDocument,
  type StepResult,
  type TaskContext,
} from "@drydock/protocol";
import { judgeTree } from "../../engine/index.ts";
import { createPathRules } from "../../policy/index.ts";
import { openWorkbench, resolveWorkspace } from "../../sandbox/index.ts";
import { type AttachedFile, readAttachments, type Stage, writeFilesCode, writeVariables } from "../../tasks/index.ts";
import type { PackageEnvironment } from "../packages/index.ts";
import { asDrydockError } from "../runs/refuse-run.ts";
import { createTreeContents, createTreeRunner } from "../runs/run-on-tree.ts";
import type { Session } from "../sessions/api.ts";
import { refuseHidden } from "./attachments.ts";
import type { PythonTaskPorts } from "./create-python-tasks.ts";
import { findWorkspace } from "./find-workspace.ts";

export interface PlaceRequest {
  /** A live session, by its id or itself. */
  session?: string | Session;
  /** Default: the one that the owner has set up for tasks; null: an empty one. */
  workspace?: string | null;
  attachments: readonly AttachedFile[];
  checks: readonly Check[];
  policy?: PolicyDocument;
  requirements?: string | readonly string[];
  install?: boolean;
}

/** Where a task works: found before anything is on record, so that what can't be read is refused at once. */
export interface TaskLocation {
  workspace: string | null;
  session: Session | null;
  policy: EffectivePolicy;
  files: { name: string; bytes: Uint8Array }[];
  checks: readonly Check[];
  request: PolicyDocument | undefined;
  /** Python packages that the code finds; none: null. */
  packages: { requirements: string[]; install: boolean } | null;
}

export interface OpenStage {
  stage: Stage;
  /** What is in the work directory, as far as it matters. */
  files: string[];
  /** The requested packages, with their versions. */
  packages: string;
  rollback(to?: number): Promise<{ step: number; kept: number[] }>;
  /** The state that the stage began with: what came before it is not its own. */
  firstStep: number;
  lastStep(): number;
  close(): Promise<void>;
}

const MB = 1024 * 1024;
/** Attachments for a directory of their own; those for a session or a workspace travel within code, and the ledger. */
const MAX_OWN_BYTES = 64 * MB;
const MAX_CARRIED_BYTES = 16 * MB;
const LISTED_FILES = 100;

export async function findPlace(ports: PythonTaskPorts, request: PlaceRequest): Promise<TaskLocation> {
  const session =
    typeof request.session === "string" ? await ports.sessions.find(request.session) : (request.session ?? null);
  const stats = session?.stats();
  if (stats && typeof request.workspace === "string")
    throw invalidTaskError("A task in a session has no workspace of its own.");
  if (stats && stats.language !== "python")
    throw invalidTaskError(`The session ${stats.sessionId} runs ${stats.language}.`);
  if (stats && stats.workspace === null && request.checks.length > 0) {
    throw invalidTaskError("Checks need a directory, and this session was opened without a workspace.");
  }
  if (stats && request.requirements !== undefined)
    throw invalidTaskError("A task in a session has the session's packages.");
  const workspace = session ? null : await findWorkspace(ports, request);
  const files = readAttachments(request.attachments, session || workspace ? MAX_CARRIED_BYTES : MAX_OWN_BYTES);
  const place = stats ? stats.workspace : workspace;
  const { effective: policy } = await ports.policies.resolve({ workspace: place, request: request.policy });
  if (!policy.files.access && (files.length > 0 || request.checks.length > 0 || workspace)) {
    throw new DrydockError(
      "policy.path_denied",
      "The policy gives runs no access to files (files.access: false).",
      "Leave out attachments, checks and the workspace, or set `files.access: true` in the home policy.",
    );
  }
  // A session without a workspace hides nothing: all of it was made inside.
  if (!stats || place !== null) refuseHidden(files, policy);
  const packages = await readPackages(request);
  return { workspace: place, session, policy, files, checks: request.checks, request: request.policy, packages };
}

async function readPackages({ requirements, install = false }: PlaceRequest): Promise<TaskLocation["packages"]> {
  if (requirements === undefined) return null;
  const { readRequirements } = await import("../packages/index.ts");
  return { requirements: await readRequirements(requirements), install };
}

/** Opens the session, and puts variables and files there. */
export async function openStage(
  ports: PythonTaskPorts,
  place: TaskLocation,
  context: TaskContext,
  watch: {
    runId: string;
    signal: AbortSignal;
    onOutput?: (chunk: { stream: "stdout" | "stderr"; text: string }) => void;
  },
): Promise<OpenStage> {
  const { files, checks, policy, request } = place;
  const needsOwn = place.session === null && place.workspace === null && files.length + checks.length > 0;
  const own = needsOwn ? await mkdtemp(join(ports.temporary, "drydock-task-")) : null;
  const workspace = own === null ? place.workspace : resolveWorkspace(own, ports.own);
  let session = place.session;
  const close = async () => {
    if (place.session === null) await session?.close();
    if (own !== null) await rm(own, { recursive: true, force: true });
  };
  try {
    if (own !== null) await writeFiles(own, files);
    const installed = await openPackages(ports, place, watch);
    const options = { ...(workspace !== null && { workspace }), policy: request };
    session ??= await ports.sessions.open(options, installed ?? undefined);
    const { parentRunId, signal } = { parentRunId: watch.runId, signal: watch.signal };
    const opened = session;
    const prepare = async (code: string) => {
      const { error } = await opened.exec(code, { signal, parentRunId });
      if (error) throw new DrydockError(error.code, error.message, error.hint);
    };
    if (own === null) for (const code of writeFilesCode(files)) await prepare(code);
    if (Object.keys(context.variables ?? {}).length > 0) await prepare(writeVariables(context.variables ?? {}));
    const listed = workspace === null ? [] : await listFiles(workspace, policy);
    const stage = createStage(ports, { session, workspace, policy, request, checks, installed }, watch);
    const packages = installed ? (await import("../packages/index.ts")).describePackages(installed.packages) : "";
    return {
      ...{ stage, packages, close, files: [...new Set([...files.map(({ name }) => name), ...listed])] },
      rollback: (to) => opened.rollback(to),
      firstStep: opened.stats().kept.at(-1) ?? 0,
      lastStep: () => opened.stats().kept.at(-1) ?? 0,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openPackages(
  ports: PythonTaskPorts,
  { packages, request, workspace }: TaskLocation,
  { runId, signal }: { runId: string; signal: AbortSignal },
): Promise<InstalledPackages | null> {
  if (packages === null) return null;
  const environments = await ports.environments();
  const found = await environments.open({ ...packages, policy: request, workspace, signal, parentRunId: runId });
  return { ...found, requirements: packages.requirements };
}

type InstalledPackages = PackageEnvironment & { requirements: readonly string[] };

interface StagePlace {
  session: Session;
  workspace: string | null;
  policy: EffectivePolicy;
  request: PolicyDocument | undefined;
  checks: readonly Check[];
  installed: InstalledPackages | null;
}

function createStage(
  ports: PythonTaskPorts,
  { session, workspace, policy, request, checks, installed }: StagePlace,
  { runId, signal, onOutput }: Parameters<typeof openStage>[3],
): Stage {
  let before = 0;
  let last: StepResult | null = null;
  return {
    language: "python",
    async run(code) {
      const since = Date.now();
      before = session.stats().kept.at(-1) ?? 0;
      last = null;
      try {
        last = await session.exec(code, { signal, onOutput, policy: request, parentRunId: runId });
        const { ok, stdout: output, stderr, result, error, variables, artifacts, changes, notes } = last;
        const durationMs = Date.now() - since;
        return {
          step: session.stats().kept.at(-1) ?? 0,
          ok,
          runId: last.runId,
          output,
          stderr,
          result,
          error,
          variables,
          artifacts,
          changes,
          notes,
          durationMs,
        };
      } catch (caught) {
        const error = asDrydockError(caught).toInfo();
        const nothing = { output: "", stderr: "", result: null, variables: {}, artifacts: [], changes: [], notes: [] };
        return { ok: false, runId: null, error, ...nothing, durationMs: Date.now() - since };
      }
    },
    async undo() {
      await session.rollback(before);
    },
    ...(checks.length > 0 &&
      workspace !== null && {
        judge: () =>
          judgeStage(ports, { checks, workspace, policy, runId, signal, installed, last: last?.runId ?? null }),
      }),
  };
}

interface JudgeRequest extends Pick<StagePlace, "checks" | "policy" | "installed"> {
  workspace: string;
  runId: string;
  signal: AbortSignal;
  /** The execution whose layer is the work directory now. */
  last: string | null;
}

async function judgeStage(ports: PythonTaskPorts, request: JudgeRequest) {
  const { checks, workspace, policy, runId, signal } = request;
  const { ledger } = ports;
  const layer = request.last === null ? null : await readLayer(ports, request.last);
  const contents = createTreeContents(ledger, runId);
  const workbench = await openWorkbench({ workspace, rules: createPathRules(policy), contents });
  try {
    const verification = await judgeTree({
      checks: [...checks],
      tree: workbench.tree(layer),
      before: null,
      scope: [],
      policy,
      runner: createTreeRunner(ports, { runId, workspace, policy, ...(request.installed ?? {}) }),
      signal,
      onCheck: async (result, round) => {
        await ledger.append(runId, [{ type: "check.finished", data: { ...result, round } }]);
      },
      refresh: async () => null,
    });
    return { verdict: verification.verdict, checks: verification.checks };
  } finally {
    await workbench.close();
  }
}

async function readLayer(ports: PythonTaskPorts, runId: string): Promise<Layer | null> {
  const captured = (await ports.readEvents(runId)).findLast(({ type }) => type === "layer.captured");
  if (!captured) return null;
  return Layer.parse(JSON.parse((await ports.ledger.blobs.readWhole(String(captured.data.layer))).toString()));
}

async function writeFiles(directory: string, files: TaskLocation["files"]): Promise<void> {
  for (const { name, bytes } of files) {
    const path = join(directory, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
  }
}

/** Names at the top, without what is hidden. */
export async function listFiles(workspace: string, policy: EffectivePolicy): Promise<string[]> {
  const rules = createPathRules(policy);
  const entries = await readdir(workspace, { withFileTypes: true }).catch(() => []);
  return entries
    .filter(({ name }) => !name.startsWith(".") && !rules.hidden(name))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .sort()
    .slice(0, LISTED_FILES);
}

const TASK_HINT =
  "A task takes words, and options: context, attachments, checks, attempts, session, workspace, requirements, policy, model.";

export function invalidTaskError(message: string, hint = TASK_HINT): DrydockError {
  return new DrydockError("input.invalid", message, hint);
}
