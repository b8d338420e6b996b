import { guardLoops } from "../../source/guard-loops.ts";
import type { WarmCommand } from "../../source/recognize-command.ts";
import { applySplices } from "../../source/splice.ts";
import { createDriver } from "../driver/create-driver.ts";
import { readReports } from "../driver/read-reports.ts";
import { readSurvey } from "../driver/read-survey.ts";
import type { RepairPorts, RepairRequest } from "../repair-types.ts";
import type { Candidate, TrialRequest, Workshop } from "../workshop.ts";
import { createNodeCopies } from "./create-node-copies.ts";
import { findScriptCalls, varyScriptCalls } from "./find-script-calls.ts";
import { listScriptCandidates } from "./list-script-candidates.ts";
import { NODE_CHILD } from "./node-child.ts";
import { NODE_REPAIR_DRIVER } from "./node-driver.ts";
import { SUPERVISOR } from "./supervisor.ts";

const MEMORY_SHARE = 0.2;
/** Of the processor's time, for one test of the untouched tree: what takes longer never ends. */
const SURVEY_MS = 1500;
/** For loading the modules, beside the tests. */
const LOADING_MS = 60;

/** JavaScript and TypeScript source, with tests of Node's own runner. */
export function createScriptWorkshop(
  request: Pick<RepairRequest, "tree" | "signal">,
  ports: RepairPorts,
  files: readonly string[],
  command: Extract<WarmCommand, { language: "node" }>,
): Workshop {
  const runDriver = createDriver(request, ports, {
    command: ["node", "-e", NODE_REPAIR_DRIVER],
    memoryShare: MEMORY_SHARE,
    always: { files, ...command, child: NODE_CHILD, supervisor: SUPERVISOR },
  });
  const tryCopies = createNodeCopies(request, ports, { files, command, memoryShare: MEMORY_SHARE });
  const guards = new Map<string, ReturnType<typeof guardLoops>>();
  const read = async (path: string) => (await request.tree.read(path))?.toString() ?? "";
  const guard = async (paths: Iterable<string>) => {
    for (const path of paths) if (!guards.has(path)) guards.set(path, guardLoops(path, await read(path)));
    return Object.fromEntries([...guards].flatMap(([path, found]) => (found ? [[path, found.text]] : [])));
  };
  const send = async (candidate: Candidate) => {
    const [edit, second] = candidate.edits;
    if (edit && !second) {
      const { start, end } = guards.get(edit.path)?.place(edit) ?? edit;
      return { id: candidate.id, edits: [[edit.path, start, end, edit.replacement]] };
    }
    const texts: Record<string, string> = {};
    for (const each of candidate.edits)
      texts[each.path] = applySplices(texts[each.path] ?? (await read(each.path)), [each]);
    for (const [path, text] of Object.entries(texts)) texts[path] = guardLoops(path, text)?.text ?? text;
    return { id: candidate.id, edits: [], texts };
  };
  const runTrials = async (
    job: string,
    { plan, candidates, seconds, watch }: TrialRequest,
    values: Record<string, unknown>,
  ) => {
    const guarded = await guard(candidates.flatMap(({ edits }) => edits.map(({ path }) => path)));
    const { failing, testSeconds, wallSeconds, survey } = plan;
    const allowedMs = Math.round(testSeconds * 1000) + LOADING_MS;
    const sent = await Promise.all(candidates.map(send));
    const input = { guarded, allowedMs, failing, errors: survey.errors, candidates: sent, ...values };
    const text = await tryCopies(job, { seconds, wallSeconds }, input, watch);
    if (text !== null) return text;
    return runDriver(job, { seconds, wallSeconds }, input, watch);
  };
  return {
    files,
    knowsLines: true,
    async survey(seconds) {
      const guarded = await guard(files.length <= MAX_GUARDED ? files : []);
      const survey = readSurvey(await runDriver("survey", { seconds }, { guarded, allowedMs: SURVEY_MS }));
      return "unable" in survey ? survey : { ...survey, calls: await findScriptCalls(request.tree, files) };
    },
    async listEdits(weighted, hints, seed, limit) {
      return listScriptCandidates(weighted, hints, seed, limit);
    },
    async tryCandidates(trials) {
      return readReports(await runTrials("tests", trials, {}), trials);
    },
    async callFunctions(trials, calls) {
      const inputs = calls.map(({ file, name, args }) => [file, name, args]);
      return readReports(await runTrials("calls", trials, { inputs }), trials).results;
    },
    async varyCalls(calls, seed) {
      return varyScriptCalls(calls, seed);
    },
  };
}

/** Where there are more files, loops of the untouched tree are bounded by the processor's time. */
const MAX_GUARDED = 200;
