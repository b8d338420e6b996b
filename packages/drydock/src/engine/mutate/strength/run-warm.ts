import * as z from "zod";
import { createPathRules } from "../../../policy/index.ts";
import type { TreeRunResult } from "../../ports.ts";
import { runOnTree } from "../../verify/judge-context.ts";
import type { Mutant } from "../list-mutants.ts";
import { NODE_DRIVER } from "./node-driver.ts";
import { PYTHON_DRIVER } from "./python-driver.ts";
import type { WarmCommand } from "./recognize-command.ts";
import type { TryMutantsOptions } from "./try-mutants.ts";

export interface WarmOptions extends TryMutantsOptions {
  command: WarmCommand;
}

/** How long one sandbox is used: long enough to pay for the start, short enough to show progress. */
const SLICE_SECONDS = 10;
const BASELINE_SECONDS = 60;

const Line = z.union([
  z.object({ unable: z.string() }),
  z.object({ untouchedMs: z.number() }),
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
  const { concurrency, deadline, signal } = options;
  const ids = new Map(options.mutants.map((mutant, id) => [id, mutant]));
  const placed = await placeMutants(options);
  const todo = [...placed];
  const alone: Mutant[] = [];
  let lanes = Math.max(1, Math.min(concurrency, Math.ceil(todo.length / 10)));
  let isUnable = false;

  const work = async () => {
    while (todo.length > 0 && !isUnable && performance.now() < deadline) {
      signal?.throwIfAborted();
      const part = todo.splice(0, Math.ceil(todo.length / lanes));
      const open = new Map(part.map((mutant) => [mutant.id, mutant]));
      const result = await runDriver(options, part);
      for (const line of readLines(result.stdout)) {
        if ("unable" in line) isUnable = true;
        if (!("mutant" in line)) continue;
        const mutant = ids.get(line.mutant);
        if (!mutant || !open.delete(line.mutant)) continue;
        if ("odd" in line) alone.push(mutant);
        else note(mutant, line.killed);
      }
      const [first, ...others] = [...open.values()];
      // The driver itself did not come to its end: the mutant that it was at is the one to look at apart.
      if (first && result.exitCode !== 0) {
        const culprit = ids.get(first.id);
        if (culprit) alone.push(culprit);
        todo.push(...others);
      } else if (open.size === part.length) {
        // Not one was done: the next sandbox would not do better.
        isUnable = true;
        todo.push(...open.values());
      } else {
        todo.push(...open.values());
      }
    }
    lanes -= 1;
  };
  await Promise.all(Array.from({ length: lanes }, work));
  return isUnable ? [...alone, ...todo.flatMap(({ id }) => ids.get(id) ?? [])] : alone;
}

interface PlacedMutant {
  id: number;
  path: string;
  /** In bytes: the drivers do not decode files. */
  start: number;
  end: number;
  replacement: string;
}

async function placeMutants({ tree, mutants }: WarmOptions): Promise<PlacedMutant[]> {
  const texts = new Map<string, string>();
  const placed: PlacedMutant[] = [];
  for (const [id, { path, splice }] of mutants.entries()) {
    const text = texts.get(path) ?? (await tree.read(path))?.toString() ?? "";
    texts.set(path, text);
    const start = Buffer.byteLength(text.slice(0, splice.start));
    const end = start + Buffer.byteLength(text.slice(splice.start, splice.end));
    placed.push({ id, path, start, end, replacement: splice.replacement });
  }
  return placed;
}

function runDriver(options: WarmOptions, mutants: readonly PlacedMutant[]): Promise<TreeRunResult> {
  const { tree, policy, runner, signal, command, check, services } = options;
  const seconds = Math.min(SLICE_SECONDS, Math.max(1, (options.deadline - performance.now()) / 1000));
  const expected = check.type === "command" ? (check.expect_exit_code ?? 0) : 0;
  const limits = { seconds, baselineSeconds: BASELINE_SECONDS, expected };
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
    stdin: JSON.stringify({ ...request, ...limits, mutants }),
    timeoutSeconds: BASELINE_SECONDS * 4 + SLICE_SECONDS * 2,
    network: [...policy.network.allow],
  });
}

/** The first failure is enough, and no run may leave anything for the next one to find. */
function withEarlyEnd(command: Extract<WarmCommand, { language: "python" }>) {
  if (command.name !== "pytest") return { ...command, uses: command.name === "unittest" ? "unittest" : "" };
  return { ...command, uses: "pytest", args: [...command.args, "-x", "-p", "no:cacheprovider"] };
}

function* readLines(stdout: string): Generator<z.infer<typeof Line>> {
  for (const text of stdout.split("\n")) {
    try {
      const line = Line.safeParse(JSON.parse(text));
      if (line.success) yield line.data;
    } catch {
      // What is no report of the driver is nobody's.
    }
  }
}
