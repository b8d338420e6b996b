import type { Divergence, RunEvent } from "@drydock/protocol";
import { describeMissingStep, NOT_RECORDED } from "../../engine/index.ts";
import { findEnding } from "../runs/recorded/find-ending.ts";
import type { RecordedRun } from "../runs/recorded/recorded-run.ts";
import { compareExecutions, compareFacts, errorOf } from "./compare-executions.ts";
import type { ReplayPorts } from "./replayer.ts";

type Data = Record<string, unknown>;

/** What has to come out the same beside the executions themselves, by the kind of event. */
const COMPARED: Partial<Record<RunEvent["type"], (data: Data) => Data>> = {
  "code.executed": ({ code, ok }) => ({ "the code": code, "whether it succeeded": ok }),
  "tool.finished": ({ name, failed }) => ({ [`result of ${name}`]: failed ? "failed" : "ok" }),
  "check.finished": ({ type, verdict }) => ({ [`verdict of ${type}`]: verdict }),
  "step.finished": ({ status, verdict, error }) => ({ status, verdict, error: Object(error).code ?? null }),
};

/** Two runs of a task or a workflow, step by step, in the order of the record. */
export async function compareTasks(
  ports: Pick<ReplayPorts, "readEvents">,
  recorded: RecordedRun,
  replayed: RecordedRun,
): Promise<{ divergences: Divergence[]; treeHash: string | null; steps: number }> {
  const [was, is] = [collect(recorded.events), collect(replayed.events)];
  const missing = describeMissingStep(recorded.events, replayed.events);
  const divergences: Divergence[] = [];
  let treeHash: string | null = null;
  for (const [name, event] of was) {
    const step = stepOf(event);
    const other = is.get(name);
    if (!other) {
      divergences.push({ step, what: "the step", recorded: name, replayed: missing });
      continue;
    }
    const { executionRunId: before } = event.data;
    const { executionRunId: after } = other.data;
    // The code comes before what it did, and that before how it was judged.
    const facts = compareFacts(step, factsOf(event), factsOf(other));
    const isCode = ({ what }: Divergence) => what === "the code";
    divergences.push(...facts.filter(isCode));
    if (typeof before === "string" && typeof after === "string") {
      const execution = await ports.readEvents(after);
      divergences.push(...compareExecutions(step, await ports.readEvents(before), execution));
      treeHash = (findEnding(execution)?.data.treeHash as string | null) ?? treeHash;
    }
    divergences.push(...facts.filter((fact) => !isCode(fact)));
  }
  for (const [name, event] of is) {
    if (!was.has(name))
      divergences.push({ step: stepOf(event), what: "the step", recorded: NOT_RECORDED, replayed: name });
  }
  const ending = (events: readonly RunEvent[]) => ({
    error: errorOf(events),
    verdict: findEnding(events)?.data.verdict,
  });
  divergences.push(...compareFacts("end", ending(recorded.events), ending(replayed.events)));
  return { divergences, treeHash, steps: was.size };
}

/** Events under a name that is the same in both runs. Checks have no key: they are counted. */
function collect(events: readonly RunEvent[]): Map<string, RunEvent> {
  const found = new Map<string, RunEvent>();
  let checks = 0;
  for (const event of events) {
    if (!COMPARED[event.type]) continue;
    const key = event.type === "check.finished" ? ++checks : event.data.key;
    found.set(`${event.type} ${key}`, event);
  }
  return found;
}

function stepOf({ type, data }: RunEvent): string {
  return typeof data.key === "string" ? data.key : type;
}

function factsOf({ type, data }: RunEvent): Data {
  return COMPARED[type]?.(data) ?? {};
}
