import type { Blocks } from "./blocks.ts";
import type { ForkFigures } from "./forks.ts";
import type { GoalFigures } from "./goals.ts";
import type { HostFigures } from "./host.ts";
import { type Crowd, percentile, type Samples } from "./measure.ts";
import type { MemberMemory } from "./memory.ts";

/** A promise of the product, with the figures on both sides of it. */
export interface Mark {
  name: string;
  /** In the words of the promise. */
  promise: string;
  value: number;
  unit: "ratio" | "ms" | "MB";
  limit: number;
  atLeast: boolean;
  met: boolean;
  sides: string;
}

export interface Figures {
  samples: readonly Samples[];
  crowds: readonly Crowd[];
  blocks: readonly Blocks[];
  memory: readonly MemberMemory[];
  forks?: ForkFigures;
  goals?: GoalFigures;
  host?: HostFigures;
}

const MB = 2 ** 20;

export function judgeMarks({ samples, crowds, memory, forks, goals, host }: Omit<Figures, "blocks">): Mark[] {
  const marks: Mark[] = [];
  const at = (scenario: string, side: string, share: number) => {
    const found = samples.find((one) => one.scenario === scenario && one.side === side);
    return found && found.times.length > 0 ? percentile(found.times, share) : undefined;
  };
  const add = (mark: Omit<Mark, "met" | "atLeast">, atLeast = false) =>
    marks.push({ ...mark, atLeast, met: atLeast ? mark.value >= mark.limit : mark.value <= mark.limit });
  const ratio = (name: string, promise: string, limit: number, over: number | undefined, under: number | undefined) => {
    if (over === undefined || under === undefined) return;
    add({ name, promise, value: over / under, unit: "ratio", limit, sides: `${ms(over)} / ${ms(under)} ms` });
  };
  ratio("python p50", "print(1) ÷ bare python3", 0.2, at("python", "dock", 0.5), at("python", "bare", 0.5));
  ratio("python p95", "its p95 ÷ that p50", 0.6, at("python", "dock", 0.95), at("python", "bare", 0.5));
  ratio("data p50", "numpy, pandas, group-by ÷ bare", 0.05, at("data", "dock", 0.5), at("data", "bare", 0.5));
  ratio("node p50", "Node ÷ bare node -e", 0.2, at("node", "dock", 0.5), at("node", "bare", 0.5));
  ratio("bash p50", "shell ÷ bare bash -c", 2, at("bash", "dock", 0.5), at("bash", "bare", 0.5));
  const networked = (language: string, side: string) => at(`${language}-network`, side, 0.5);
  for (const [language, limit] of [
    ["python", 0.25],
    ["node", 0.35],
  ] as const) {
    const promise = `${language} with a host allowed ÷ bare`;
    ratio(`${language} network p50`, promise, limit, networked(language, "dock"), networked(language, "bare"));
  }
  ratio("cli p50", "drydock exec ÷ node -e 0", 4, at("cli", "dock", 0.5), at("cli", "node -e 0", 0.5));
  const [slash, tool] = [at("echo", "dock", 0.5), at("echo", "bare", 0.5)];
  if (slash !== undefined && tool !== undefined) {
    const sides = `${ms(slash)} − ${ms(tool)} ms`;
    add({ name: "slash p50", promise: "/echo minus bare echo", value: slash - tool, unit: "ms", limit: 10, sides });
  }
  ratio("slash bwrap", "/echo ÷ echo in bare bubblewrap", 1, slash, at("echo", "bubblewrap", 0.5));
  const rates = (name: string, promise: string, limit: number, scenario: string, over: string, under: string) => {
    const rate = (side: string) => crowds.find((one) => one.scenario === scenario && one.side === side)?.perSecond;
    const [first, second] = [rate(over), rate(under)];
    if (first === undefined || second === undefined) return;
    const sides = `${first.toFixed(0)} / ${second.toFixed(0)} a second`;
    add({ name, promise, value: first / second, unit: "ratio", limit, sides }, true);
  };
  rates("throughput", "runs a second, 8 at once ÷ bare python3", 2, "python", "dock", "bare");
  rates("http", "POST /execute a second, 8 at once ÷ dock.exec", 0.7, "http", "http", "dock");
  for (const { crew, members, pssBytes, privateBytes } of memory) {
    if (members === 0) continue;
    add({
      name: `memory ${crew}`,
      promise: `an idle Python member (${crew}), PSS`,
      value: pssBytes / MB,
      unit: "MB",
      limit: 6,
      sides: `${members} members; private ${(privateBytes / MB).toFixed(1)} MB`,
    });
  }
  const [without, withIt] = [at("layer", "without a workspace", 0.5), at("layer", "with it", 0.5)];
  if (without !== undefined && withIt !== undefined)
    add({
      name: "layer",
      promise: "a layer over 50,000 files adds",
      value: withIt - without,
      unit: "ms",
      limit: 5,
      sides: `${ms(withIt)} − ${ms(without)} ms`,
    });
  if (forks) {
    const cycles = `fork, step, close: ${forks.cyclesPerSecond.toFixed(0)} a second, ${forks.cyclesPerSecondByTwo.toFixed(0)} with two at once`;
    const sides = `bare os.fork ${ms(forks.bareMs)} ms; ${cycles}`;
    add({
      name: "fork p50",
      promise: "a fork of session.fork(100), pandas",
      value: forks.forkMs,
      unit: "ms",
      limit: 20,
      sides,
    });
    const idle = { name: "fork memory", promise: "an idle fork, PSS", value: forks.idleBytes / MB, limit: 6 };
    add({ ...idle, unit: "MB", sides: "its warden and its interpreter" });
  }
  for (const mark of goals ? describeGoalMarks(goals) : []) add(mark);
  for (const mark of host ? describeHostMarks(host) : []) add(mark);
  return marks;
}

function describeGoalMarks({ costs, smallMs, largeMs }: GoalFigures): Omit<Mark, "met" | "atLeast">[] {
  const marks: Omit<Mark, "met" | "atLeast">[] = [];
  for (const few of costs.filter(({ tasks }) => tasks === 100)) {
    const { shape, msPerTask, heapMb } = few;
    const promise = `the engine's own cost of a task, 100 ${shape}`;
    const sides = `heap ${heapMb.toFixed(0)} MB`;
    marks.push({ name: `goal ${shape}`, promise, value: msPerTask, unit: "ms", limit: 25, sides });
    const many = costs.find((other) => other.tasks === 1000 && other.shape === shape);
    if (!many) continue;
    marks.push({
      name: `goal growth ${shape}`,
      promise: `the same at 1,000 ÷ at 100, ${shape}`,
      value: many.msPerTask / msPerTask,
      unit: "ratio",
      limit: 1,
      sides: `${ms(many.msPerTask)} / ${ms(msPerTask)} ms; heap ${many.heapMb.toFixed(0)} / ${heapMb.toFixed(0)} MB`,
    });
  }
  marks.push({
    name: "goal large",
    promise: "50,000 files add to a run of one task",
    value: largeMs - smallMs,
    unit: "ms",
    limit: 1000,
    sides: `${ms(largeMs)} − ${ms(smallMs)} ms`,
  });
  return marks;
}

function describeHostMarks(figures: HostFigures): Omit<Mark, "met" | "atLeast">[] {
  const { bareMs, deltaMs, callMs, history, oldDeltaMs, oldCallMs } = figures;
  const bare = `bare echo ${ms(bareMs)} ms`;
  const grown = (name: string, promise: string, before: number, after: number) => ({
    ...{
      name,
      promise: `${promise}, ${history} runs in history ÷ none`,
      value: after / before,
      unit: "ratio" as const,
    },
    ...{ limit: 1.2, sides: `${ms(after)} / ${ms(before)} ms` },
  });
  return [
    { name: "host delta", promise: "event to first delta, p50", value: deltaMs, unit: "ms", limit: 10, sides: bare },
    { name: "host call", promise: "a call of the host API, p50", value: callMs, unit: "ms", limit: 2, sides: bare },
    grown("host delta history", "event to first delta", deltaMs, oldDeltaMs),
    grown("host call history", "a call of the host API", callMs, oldCallMs),
  ];
}

function ms(value: number): string {
  return value.toFixed(value < 10 ? 2 : 1);
}
