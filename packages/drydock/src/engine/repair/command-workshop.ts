import { DrydockError } from "@drydock/protocol";
import * as z from "zod";
import { parseJson } from "../../base/text/index.ts";
import { isScript } from "../source/parse-script.ts";
import type { WarmCommand } from "../source/recognize-command.ts";
import { createRunPython } from "../source/run-python.ts";
import type { CommandCheck } from "../verify/proof/records/base-record.ts";
import { createDriver } from "./driver/create-driver.ts";
import { readReports } from "./driver/read-reports.ts";
import { readSurvey } from "./driver/read-survey.ts";
import { REPAIR_DRIVER } from "./python/driver.ts";
import { LIST_PROGRAM } from "./python/list-program.ts";
import { toByteEdits } from "./python/to-byte-edits.ts";
import { VARY_PROGRAM } from "./python/vary-program.ts";
import type { RepairPorts, RepairRequest } from "./repair-types.ts";
import { listScriptCandidates } from "./script/list-script-candidates.ts";
import type { FunctionCall, ListedEdit, TrialReport, TrialRequest, WeightedFile, Workshop } from "./workshop.ts";

/** How a command is run inside: by a runner that knows single tests, as one program, or as a command line. */
export type PythonCommand = { command: Extract<WarmCommand, { language: "python" }> } | { shell: string };

const FIRST_TEST_SECONDS = 2;
const MEMORY_SHARE = 0.4;
/** A candidate is dropped after this many tests that still fail. */
const PATIENCE = 5;

const Calls = z.array(z.tuple([z.number(), z.string(), z.string()]));
const Listed = z.object({
  candidates: z.array(z.tuple([z.number(), z.number(), z.number(), z.string(), z.number(), z.string(), z.number()])),
});

/** Source of any language that repair knows, and tests that any command runs: a program in Python starts them. */
export function createCommandWorkshop(
  request: Pick<RepairRequest, "tree" | "signal">,
  ports: RepairPorts,
  check: CommandCheck,
  { files, way }: { files: readonly string[]; way: PythonCommand },
): Workshop {
  const runPython = createRunPython(ports.runner, request.tree, request.signal);
  const runDriver = createDriver(request, ports, {
    command: ["python3", "-c", REPAIR_DRIVER],
    memoryShare: MEMORY_SHARE,
    always: { ...describeWay(way), ...describeExpected(check), files },
  });
  const runTrials = async (
    job: string,
    { plan, candidates, seconds, watch }: TrialRequest,
    values: Record<string, unknown>,
  ) => {
    const { survey, failing, first, passing, testSeconds, wallSeconds } = plan;
    const planned = new Set([...failing, ...passing]);
    const others = survey.tests.map(({ name }) => name).filter((name) => !planned.has(name));
    const input = {
      ...{ failing, first, passing, testSeconds, errors: survey.errors, modules: survey.modules, patience: PATIENCE },
      ...{ others, isHot: survey.errors === 0, loadSeconds: 1 },
      candidates: await toByteEdits(request.tree, candidates),
      ...values,
    };
    return runDriver(job, { seconds, wallSeconds }, input, watch);
  };
  return {
    files,
    knowsLines: "command" in way,
    async survey(seconds) {
      return readSurvey(await runDriver("survey", { seconds }, { testSeconds: FIRST_TEST_SECONDS }));
    },
    async listEdits(weighted, hints, seed, limit) {
      const scripts = await listScriptCandidates(
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
      return readReports(await runTrials("tests", trials, {}), trials);
    },
    async callFunctions(trials, calls) {
      const inputs = calls.map(({ file, name, args }) => [file, name, args]);
      return readReports(await runTrials("calls", trials, { inputs }), trials).results;
    },
    async varyCalls(calls, seed) {
      const sent = calls.map(({ file, name, args }) => [file, name, args]);
      const output = await runPython(VARY_PROGRAM, JSON.stringify({ calls: sent, seed }));
      return Calls.safeParse(parseJson(output)).data?.map(toCall) ?? [];
    },
  };
}

function toCall([file, name, args]: [number, string, string]): FunctionCall {
  return { file, name, args };
}

function describeExpected(check: CommandCheck): Record<string, unknown> {
  return { expected: check.expect_exit_code ?? 0, needle: check.type === "command_contains" ? check.needle : "" };
}

function describeWay(way: PythonCommand): Record<string, unknown> {
  if ("shell" in way) return { kind: "shell", run: "shell", name: "", args: [], environment: {}, shell: way.shell };
  const { run, name, args, environment } = way.command;
  const kind = name === "pytest" ? "pytest" : run === "module" && name === "unittest" ? "unittest" : "program";
  return { kind, run, name, args, environment };
}

function readListed(output: string, files: readonly WeightedFile[]): ListedEdit[] {
  const answer = Listed.safeParse(parseJson(output));
  if (!answer.success) {
    throw new DrydockError(
      "sandbox.unavailable",
      "The program that lists changes of Python files gave no answer that can be read.",
      "Run `drydock doctor`. If Python works there, put fewer or shorter files in scope.",
      { output: output.slice(0, 500) },
    );
  }
  return answer.data.candidates.flatMap(([file, start, end, replacement, line, kind, score]) => {
    const path = files[file]?.path;
    return path === undefined ? [] : [{ path, start, end, replacement, line, kind, score }];
  });
}
