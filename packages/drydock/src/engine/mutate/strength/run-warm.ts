import * as z from "zod";
import { createPathRules } from "../../../policy/index.ts";
import type { TreeRunResult } from "../../ports.ts";
import { type GuardedText, guardLoops } from "../../source/guard-loops.ts";
import type { WarmCommand } from "../../source/recognize-command.ts";
import { runOnTree } from "../../verify/judge-context.ts";
import type { Mutant } from "../list-mutants.ts";
import { NODE_DRIVER } from "./node-driver.ts";
import { PYTHON_DRIVER } from "./python-driver.ts";
import { throwIfCancelled } from "./throw-if-cancelled.ts";
import type { TryMutantsOptions } from "./try-mutants.ts";

export interface WarmOptions extends TryMutantsOptions {
  command: WarmCommand;
}

/** How long one sandbox is used: long enough to pay for the start, short enough to show progress. */
const SLICE_SECONDS = 10;
const BASELINE_SECONDS = 60;
/** Of the sandbox's memory, for each process: one that never ends may eat all that it gets. */
const MEMORY_SHARE = { python: 0.5, node: 0.15 };
/** Fewer are not worth a second start. */
const MUTANTS_PER_LANE = 20;

const Line = z.union([
  z.object({ unable: z.string() }),
  z.object({ untouchedMs: z.number() }),
  z.object({ begun: z.number() }),
  z.object({ mutant: z.number(), killed: z.boolean() }),
  /** It ended in a way that only a run by itself can judge. */
  z.object({ mutant: z.number(), odd: z.literal(true) }),
]);

/**
 * Runs many mutants in each sandbox, by a program inside that has loaded the test runner once. Returns the mutants that
 * have to be run by themselves: those that broke their sandbox or ended oddly, or all of them where the driver says that
 * its results could differ.
 */
export async function runWarm(
  options: WarmOptions,
  note: (mutant: Mutant, killed: boolean) => void,
): Promise<readonly Mutant[]> {
  const { mutants, concurrency, deadline, signal } = options;
  const alone: Mutant[] = [];
  const { mutants: placed, guarded } = await placeMutants(options);
  let todo = placed;
  while (todo.length > 0 && performance.now() < deadline) {
    throwIfCancelled(signal);
    const lanes = Math.max(1, Math.min(concurrency, Math.round(todo.length / MUTANTS_PER_LANE)));
    // In turns: mutants that never end lie close together.
    const parts = Array.from({ length: lanes }, (_, lane) => todo.filter((_, index) => index % lanes === lane));
    const ends = await Promise.all(parts.map((part) => runPart(options, part, guarded)));
    for (const { id, killed } of ends.flatMap(({ done }) => done)) {
      const mutant = mutants[id];
      if (mutant) note(mutant, killed);
    }
    alone.push(...ends.flatMap(({ odd }) => odd.flatMap((id) => mutants[id] ?? [])));
    const left = ends.flatMap((end) => end.left);
    if (ends.some(({ isUnable }) => isUnable)) return [...alone, ...left.flatMap(({ id }) => mutants[id] ?? [])];
    todo = left;
  }
  return alone;
}

interface PartEnd {
  done: { id: number; killed: boolean }[];
  odd: number[];
  left: PlacedMutant[];
  /** The driver can't be used for this command, or does not get on. */
  isUnable: boolean;
}

async function runPart(
  options: WarmOptions,
  part: readonly PlacedMutant[],
  guarded: Placed["guarded"],
): Promise<PartEnd> {
  const open = new Map(part.map((mutant) => [mutant.id, mutant]));
  const begun = new Set<number>();
  const end: PartEnd = { done: [], odd: [], left: [], isUnable: false };
  if (part.length === 0) return end;
  const { stdout, exitCode } = await runDriver(options, part, guarded);
  for (const line of readLines(stdout)) {
    if ("unable" in line) end.isUnable = true;
    if ("begun" in line) begun.add(line.begun);
    if (!("mutant" in line) || !open.delete(line.mutant)) continue;
    if ("odd" in line) end.odd.push(line.mutant);
    else end.done.push({ id: line.mutant, killed: line.killed });
  }
  // The driver itself did not come to its end: what it was at has to be looked at one by one.
  if (exitCode !== 0) for (const id of begun) if (open.delete(id)) end.odd.push(id);
  // Not one is done: the next sandbox would not do better.
  if (open.size === part.length) end.isUnable = true;
  end.left = [...open.values()];
  return end;
}

interface PlacedMutant {
  id: number;
  path: string;
  /** In bytes: the drivers do not decode files. */
  start: number;
  end: number;
  replacement: string;
  /** Its place in the text whose loops are guarded. */
  guarded: { start: number; end: number } | null;
}

interface Placed {
  mutants: PlacedMutant[];
  /** Files whose loops are guarded, by path. */
  guarded: Record<string, string>;
}

async function placeMutants({ tree, mutants, command }: WarmOptions): Promise<Placed> {
  const texts = new Map<string, { text: string; guarded: GuardedText | null }>();
  const placed: PlacedMutant[] = [];
  for (const [id, { path, splice }] of mutants.entries()) {
    let file = texts.get(path);
    if (!file) {
      const text = (await tree.read(path))?.toString() ?? "";
      file = { text, guarded: command.language === "node" ? guardLoops(path, text) : null };
      texts.set(path, file);
    }
    const { text, guarded } = file;
    placed.push({
      ...{ id, path, replacement: splice.replacement, ...inBytes(text, splice) },
      guarded: guarded && inBytes(guarded.text, guarded.place(splice)),
    });
  }
  const files = [...texts].flatMap(([path, { guarded }]) => (guarded ? [[path, guarded.text] as const] : []));
  return { mutants: placed, guarded: Object.fromEntries(files) };
}

function inBytes(text: string, { start, end }: { start: number; end: number }): { start: number; end: number } {
  const from = Buffer.byteLength(text.slice(0, start));
  return { start: from, end: from + Buffer.byteLength(text.slice(start, end)) };
}

function runDriver(
  options: WarmOptions,
  mutants: readonly PlacedMutant[],
  guarded: Placed["guarded"],
): Promise<TreeRunResult> {
  const { tree, policy, runner, signal, command, check, services } = options;
  const seconds = Math.min(SLICE_SECONDS, Math.max(1, (options.deadline - performance.now()) / 1000));
  const expected = check.type === "command" ? (check.expect_exit_code ?? 0) : 0;
  const memoryMb = Math.floor(policy.limits.memoryMb * MEMORY_SHARE[command.language]);
  const limits = { seconds, baselineSeconds: BASELINE_SECONDS, expected, memoryMb };
  const context = {
    tree,
    before: null,
    policy,
    rules: createPathRules(policy),
    runner,
    signal,
    services,
    noteChanged: () => {},
  };
  const request = command.language === "python" ? withEarlyEnd(command) : command;
  return runOnTree(context, {
    command: command.language === "python" ? ["python3", "-c", PYTHON_DRIVER] : ["node", "-e", NODE_DRIVER],
    stdin: JSON.stringify({ ...request, ...limits, mutants, guarded }),
    timeoutSeconds: BASELINE_SECONDS * 4 + SLICE_SECONDS * 2,
    network: [...policy.network.allow],
  });
}

/** Makes pytest stop at the first failure, print no traceback, and leave no cache for the next run. */
function withEarlyEnd(command: Extract<WarmCommand, { language: "python" }>) {
  if (command.name !== "pytest") return { ...command, uses: command.name === "unittest" ? "unittest" : "" };
  return { ...command, uses: "pytest", args: [...command.args, "-x", "--tb=no", "-p", "no:cacheprovider"] };
}

function* readLines(stdout: string): Generator<z.infer<typeof Line>> {
  for (const text of stdout.split("\n")) {
    try {
      const line = Line.safeParse(JSON.parse(text));
      if (line.success) yield line.data;
    } catch {
      // Lines that are not reports of the driver are ignored.
    }
  }
}
