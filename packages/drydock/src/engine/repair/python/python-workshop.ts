import type { Check } from "@drydock/protocol";
import * as z from "zod";
import { createPathRules } from "../../../policy/index.ts";
import { isScript } from "../../mutate/parse-script.ts";
import type { WarmCommand } from "../../mutate/strength/recognize-command.ts";
import { createRunPython } from "../../mutate/strength/run-python.ts";
import { runOnTree } from "../../verify/judge-context.ts";
import { parseJson } from "../parse-json.ts";
import { readReports } from "../read-reports.ts";
import { readSurvey } from "../read-survey.ts";
import type { RepairPorts, RepairRequest } from "../repair.ts";
import { listScriptCandidates } from "../script/list-script-candidates.ts";
import type { FunctionCall, ListedEdit, TrialReport, TrialRequest, WeightedFile, Workshop } from "../workshop.ts";
import { REPAIR_DRIVER } from "./driver.ts";
import { LIST_PROGRAM } from "./list-program.ts";
import { toByteEdits } from "./to-byte-edits.ts";
import { VARY_PROGRAM } from "./vary-program.ts";

/** How a command is run inside: by a runner that knows single tests, as one program, or as a command line. */
export type PythonCommand = { command: Extract<WarmCommand, { language: "python" }> } | { shell: string };

const FIRST_TEST_SECONDS = 2;
const MEMORY_SHARE = 0.4;
/** A candidate is dropped after this many tests that still fail. */
const PATIENCE = 5;
/** For starting, loading and ending, in addition to the requested time. */
const SPARE_SECONDS = 60;

const Calls = z.array(z.tuple([z.number(), z.string(), z.string()]));
const Listed = z.object({
  candidates: z.array(z.tuple([z.number(), z.number(), z.number(), z.string(), z.number(), z.string(), z.number()])),
});

type CommandCheck = Extract<Check, { type: "command" }>;

/** Python source, and tests that any command runs. */
export function createPythonWorkshop(
  request: Pick<RepairRequest, "tree" | "signal">,
  ports: RepairPorts,
  check: CommandCheck,
  { files, way }: { files: readonly string[]; way: PythonCommand },
): Workshop {
  const runPython = createRunPython(ports.runner, request.tree, request.signal);
  const runDriver = createDriver(request, ports, { ...describeWay(way), files, expected: check.expect_exit_code ?? 0 });
  const runTrials = async (
    job: string,
    { plan, candidates, seconds }: TrialRequest,
    values: Record<string, unknown>,
  ) => {
    const { survey, failing, first, passing, testSeconds } = plan;
    return runDriver(job, seconds, {
      ...{ failing, first, passing, testSeconds, errors: survey.errors, modules: survey.modules, patience: PATIENCE },
      ...{ isHot: survey.errors === 0, loadSeconds: 1, wallSeconds: plan.wallSeconds },
      candidates: await toByteEdits(request.tree, candidates),
      ...values,
    });
  };
  return {
    files,
    knowsLines: "command" in way,
    async survey(seconds) {
      return readSurvey(await runDriver("survey", seconds, { testSeconds: FIRST_TEST_SECONDS }));
    },
    async listEdits(weighted, hints, seed, limit) {
      const scripts = listScriptCandidates(
        weighted.filter(({ path }) => isScript(path)),
        hints,
        seed,
        limit,
      );
      const python = weighted.filter(({ path }) => !isScript(path));
      if (python.length === 0) return scripts;
      const sent = python.map(({ text, weights }) => ({
        text: text.toWellFormed(),
        weights: Object.fromEntries(weights),
      }));
      const output = await runPython(LIST_PROGRAM, JSON.stringify({ files: sent, hints, seed, limit }));
      return [...readListed(output, python), ...scripts].sort((a, b) => b.score - a.score).slice(0, limit);
    },
    async tryCandidates(trials): Promise<TrialReport> {
      return readReports(await runTrials("tests", trials, {}), trials.candidates);
    },
    async callFunctions(trials, calls) {
      const inputs = calls.map(({ file, name, args }) => [file, name, args]);
      return readReports(await runTrials("calls", trials, { inputs }), trials.candidates).results;
    },
    async varyCalls(calls, seed) {
      const sent = calls.map(({ file, name, args }) => [file, name, args]);
      const output = await runPython(VARY_PROGRAM, JSON.stringify({ calls: sent, seed }));
      return Calls.safeParse(parseJson(output)).data?.map(toCall) ?? [];
    },
  };
}

/** Runs the program in a sandbox on the tree; resolves with what it printed. */
function createDriver(
  { tree, signal }: Pick<RepairRequest, "tree" | "signal">,
  { runner, policy }: RepairPorts,
  always: Record<string, unknown>,
) {
  const rules = createPathRules(policy);
  const context = { tree, before: null, policy, rules, runner, signal, services: [], noteChanged: () => {} };
  const memoryMb = Math.floor(policy.limits.memoryMb * MEMORY_SHARE);
  return async (job: string, seconds: number, values: Record<string, unknown>): Promise<string> => {
    const { stdout } = await runOnTree(context, {
      command: ["python3", "-c", REPAIR_DRIVER],
      stdin: JSON.stringify({ ...always, job, seconds, memoryMb, ...values }),
      timeoutSeconds: seconds + SPARE_SECONDS,
      network: [...policy.network.allow],
    });
    return stdout;
  };
}

function toCall([file, name, args]: [number, string, string]): FunctionCall {
  return { file, name, args };
}

function describeWay(way: PythonCommand): Record<string, unknown> {
  if ("shell" in way) return { kind: "shell", run: "shell", name: "", args: [], environment: {}, shell: way.shell };
  const { run, name, args, environment } = way.command;
  const kind = name === "pytest" ? "pytest" : run === "module" && name === "unittest" ? "unittest" : "program";
  return { kind, run, name, args, environment };
}

function readListed(output: string, files: readonly WeightedFile[]): ListedEdit[] {
  const answer = Listed.safeParse(parseJson(output));
  if (!answer.success) return [];
  return answer.data.candidates.flatMap(([file, start, end, replacement, line, kind, score]) => {
    const path = files[file]?.path;
    return path === undefined ? [] : [{ path, start, end, replacement, line, kind, score }];
  });
}
