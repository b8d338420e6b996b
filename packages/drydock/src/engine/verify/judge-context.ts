import type { EffectivePolicy } from "@drydock/protocol";
import type { PathRules } from "../../policy/index.ts";
import type { TreeRun, TreeRunner, TreeRunResult } from "../ports.ts";
import { requireFinding } from "../require-finding.ts";
import { type RunPython, runPythonBy } from "../source/run-python.ts";
import type { JudgedTree } from "./judged-tree.ts";

/** The input of the judge of one check. */
export interface JudgeContext {
  tree: JudgedTree;
  /** The tree that the task started from; null where there is none to compare with. */
  before: JudgedTree | null;
  policy: EffectivePolicy;
  rules: PathRules;
  runner: TreeRunner;
  signal?: AbortSignal;
  /** Command lines of services that earlier checks of the list started. */
  services: readonly string[];
  /** Files of the tree that nothing may change while a check runs. */
  pin?: readonly string[];
  /**
   * What is recorded of a command beside what its test runners report: which files its processes ask for, as they tell it
   * (`record`), and as the sandbox sees it, too (`observe`); or which answers decide over comparisons (`decisions`).
   */
  watch?: "record" | "observe" | "decisions";
  /** Whether a command is ended early where one of its tests does not end. Only what fails anyway may be cut short. */
  endsStalled?: boolean;
  /** The run is beside one that it must not hold up. */
  aside?: boolean;
  /** Called with paths below the tree that another process changed meanwhile. */
  noteChanged(paths: readonly string[]): void;
}

/**
 * A verdict must not depend on where the host is, or which language its owner speaks; nor on compiled Python that somebody
 * put beside the tests, which would run in their place.
 */
const SAME_EVERYWHERE = {
  TZ: "UTC",
  LANG: "C.UTF-8",
  LC_ALL: "C.UTF-8",
  PYTHONHASHSEED: "0",
  PYTHONDONTWRITEBYTECODE: "1",
  PYTHONPYCACHEPREFIX: "/tmp/drydock-pycache",
};

/** Runs something on the exact tree. The policy's limit on time holds whatever a check asks for. */
export async function runOnTree(
  context: JudgeContext,
  run: Omit<TreeRun, "layer" | "drafts" | "signal">,
): Promise<TreeRunResult> {
  const { tree, policy, runner, signal, aside } = context;
  const timeoutSeconds = Math.min(run.timeoutSeconds, policy.limits.wallSeconds);
  const pin = context.pin?.filter((path) => tree.lookup(path)?.type === "file");
  const always = { layer: tree.layer, drafts: tree.drafts, environment: SAME_EVERYWHERE, discard: true, pin, aside };
  const result = await runner.run({ ...run, ...always, timeoutSeconds, signal });
  if (result.changedUnderneath.length > 0) context.noteChanged(result.changedUnderneath);
  requireFinding(result);
  return result;
}

const PYTHON_SECONDS = 30;

/** Runs Python programs of ours beside a check: they parse text that others wrote. */
export function runPythonOn(context: JudgeContext): RunPython {
  return runPythonBy(PYTHON_SECONDS, (run) => runOnTree({ ...context, pin: [] }, run));
}
