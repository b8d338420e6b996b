import type { Plan } from "@drydock/protocol";
import type { WorkTree } from "../../sandbox/index.ts";
import type { EngineContext } from "../engine-context.ts";
import {
  type CheckRecord,
  type CommandCheck,
  findCheckProblems,
  isCommandCheck,
  recordChecks,
  toJudgedTree,
} from "../verify/index.ts";
import { taskRules } from "../work/task-rules.ts";
import { findRepairScope } from "./find-repair-scope.ts";
import { findTestCommands } from "./find-test-commands.ts";
import { noRepairError, nothingFailsError } from "./no-repair.ts";

const TASK = "repair";
/** More than a search finds: each change is judged, one after the other, until one passes or all are refused. */
const ATTEMPTS = 8;
/** What a shell ends with where a command is not there, or can't be executed. */
const NOT_STARTED: readonly (number | null)[] = [126, 127];
const MAX_NAMED = 3;

/**
 * A plan without a model: the checks that people require, or else the workspace's own tests, run on the untouched tree.
 * Those that fail are the checks of its only task, and the source that they execute is its scope.
 */
export async function planRepair(context: EngineContext, goal: string, tree: WorkTree): Promise<Plan> {
  const { policy, settings } = context;
  const required = settings.required.map(({ check }) => check).filter(isCommandCheck);
  const candidates = required.length > 0 ? required : await listTestChecks(tree);
  if (candidates.length === 0) throw noRepairError("No test command was found in the workspace.");
  const refused = await findCheckProblems(candidates, policy);
  const allowed = candidates.filter((_, index) => !refused.some((problem) => problem.index === index));
  const recorded = await recordChecks(context, toJudgedTree(context.workbench, tree), allowed, (check, phase) =>
    context.onProgress?.({ kind: "phase", task: null, check, phase }),
  );
  context.signal.throwIfAborted();
  const failing = recorded.filter(({ record }) => !record.passed && findObstacle(record) === null);
  if (failing.length === 0) {
    const obstacles = recorded.flatMap(({ check, record }) => {
      const obstacle = findObstacle(record);
      return obstacle === null ? [] : [`${quote(check)} ${obstacle}.`];
    });
    const denied = refused.map(({ index, reason }) => `${quote(candidates[index])} is refused: ${reason}`);
    const passing = recorded.filter(({ record }) => record.passed).map(({ check }) => quote(check));
    if (passing.length > 0 && obstacles.length + denied.length === 0) throw nothingFailsError(listNames(passing));
    const passes = passing.length === 0 ? [] : [`Nothing fails with ${listNames(passing)}.`];
    throw noRepairError([...obstacles, ...denied, ...passes].slice(0, MAX_NAMED).join(" "));
  }
  const { writable } = taskRules(context, { scope: ["**"] });
  const records = failing.map(({ record }) => record);
  const scope = findRepairScope(records, writable, (path) => tree.lookup(path)?.type === "file");
  const names = listNames(failing.map(({ check }) => quote(check)));
  if (scope.length === 0) throw noRepairError(`${names} ${describeNoSource(records)}`, failing[0]?.check.cmd);
  const checks = failing.map(({ check }) => check);
  const title = `Make ${names} pass`;
  return { goal, tasks: [{ id: TASK, title, instructions: goal, dependsOn: [], scope, checks, attempts: ATTEMPTS }] };
}

/** How checks fail that execute nothing of the workspace: that of test runners which do not get as far as a test is told apart. */
function describeNoSource(records: readonly CheckRecord[]): string {
  const reports = records.flatMap(({ report }) => report ?? []);
  const ran = reports.some(({ tests, runners }) => tests.length > 0 || runners.length === 0);
  if (ran) return "fails, and executes no source of the workspace that repair could change.";
  const isNamed = reports.some(({ named }) => named.length > 0);
  return isNamed ? "fails before a test begins: the tests can't be loaded." : "runs no test.";
}

async function listTestChecks(tree: WorkTree): Promise<CommandCheck[]> {
  return (await findTestCommands(tree)).map((cmd) => ({ type: "command", cmd }));
}

/** Why a check that failed says nothing about the source; null where it does. */
function findObstacle({ passed, report, reason }: CheckRecord): string | null {
  if (passed) return null;
  if (report === null) return `can't be run here: ${reason.replace(/\.$/, "")}`;
  return NOT_STARTED.includes(report.exitCode) ? "can't be started here: its program is not installed" : null;
}

function quote(check: CommandCheck | undefined): string {
  return JSON.stringify(check?.name ?? check?.cmd ?? "");
}

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMED).join(", ");
  return names.length > MAX_NAMED ? `${shown} and ${names.length - MAX_NAMED} more` : shown;
}
