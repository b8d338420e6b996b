import { type Divergence, DrydockError, type RunEvent } from "@drydock/protocol";
import { findAltered, findAlteredColumns, type Ledger } from "../../ledger/index.ts";
import type { RecordedRun } from "../runs/recorded/recorded-run.ts";
import { asDrydockError } from "../runs/refuse-run.ts";
import type { ReplayPorts } from "./replayer.ts";

/** What a stored content is, by the field that names its hash. */
const CONTENTS: Record<string, string> = {
  answer: "answer",
  code: "code",
  codeSha256: "code",
  layer: "layer",
  outcome: "search",
  result: "result of a tool",
  stdin: "input",
  attachments: "attachment",
  values: "values",
  input: "input",
};

/** Each place at which a run's record is not what its hashes say: events, their chain, and stored contents. */
export async function findAlterations(ledger: Ledger, { run, events }: RecordedRun): Promise<Divergence[]> {
  const found = findAlteredEvents(events);
  // What a replay goes by is also a column of its own.
  for (const { name, recorded, is } of findAlteredColumns(run, events)) {
    found.push({ step: "record", what: `the run's ${name}`, cause: "record", recorded, replayed: is });
  }
  const last = events.at(-1)?.hash ?? null;
  if (last !== run.headHash || events.length !== run.events)
    found.push({ step: "record", what: "the last event", cause: "record", recorded: run.headHash, replayed: last });
  for (const sha256 of await ledger.blobs.list(run.id)) {
    const problem = await ledger.blobs.readWhole(sha256).then(() => null, describe);
    if (problem !== null)
      found.push({ ...nameContent(events, sha256), cause: "record", recorded: sha256, replayed: problem });
  }
  const artifacts = await ledger.artifacts.list(run.id);
  for (const { id, name, sha256 } of artifacts) {
    const problem = await ledger.artifacts.read(id).then(() => null, describe);
    if (problem !== null) {
      found.push({
        step: "record",
        what: `the artifact ${name}`,
        cause: "record",
        recorded: sha256,
        replayed: problem,
      });
    }
  }
  for (const event of events) {
    const { id, name, sha256 } = event.data;
    // Those without a hash may expire.
    if (event.type !== "artifact.stored" || sha256 === undefined || artifacts.some((one) => one.id === id)) continue;
    const what = `the artifact ${String(name)}`;
    found.push({ step: "record", what, cause: "record", recorded: sha256, replayed: "it is not on record any more" });
  }
  return found;
}

/** What an error says of an event or a stored content that can't be read at all; null for other errors. */
export function asAlteration(error: unknown, runId: string): Divergence | null {
  if (!(error instanceof DrydockError) || error.code !== "ledger.unavailable") return null;
  const { seq, sha256, runId: of = runId } = error.data;
  const step = of === runId ? "record" : `${String(of)} record`;
  const replayed = error.message;
  if (typeof seq === "number")
    return { step, what: `event ${seq}`, cause: "record", recorded: "what its hash says", replayed };
  if (typeof sha256 === "string")
    return { step, what: "a stored content", cause: "record", recorded: sha256, replayed };
  return null;
}

/** The same for runs that the replayed one is made of, or goes on from: each place is named with the run's id. */
export async function checkParts(
  { ledger }: Pick<ReplayPorts, "ledger">,
  parts: readonly RecordedRun[],
): Promise<Divergence[]> {
  const found: Divergence[] = [];
  for (const part of parts) {
    for (const divergence of await findAlterations(ledger, part)) {
      found.push({ ...divergence, step: `${part.run.id} ${divergence.step}` });
    }
  }
  return found;
}

/** The events that are not what their hashes say, or do not follow the one before. */
export function findAlteredEvents(events: readonly RunEvent[]): Divergence[] {
  return findAltered(events).map((event) => ({
    step: stepOf(event),
    what: `event ${event.seq} (${event.type})`,
    cause: "record",
    recorded: "what its hash says",
    replayed: "something else",
  }));
}

function nameContent(events: readonly RunEvent[], sha256: string): Pick<Divergence, "step" | "what"> {
  for (const event of events) {
    const field = findField(event.data, sha256) ?? findField(Object(event.data.request), sha256);
    if (field !== null) return { step: stepOf(event), what: `the recorded ${CONTENTS[field] ?? field}` };
  }
  return { step: "record", what: "the recorded content of a file" };
}

function findField(data: Record<string, unknown>, sha256: string): string | null {
  const found = Object.entries(data).find(
    ([name, value]) => name !== "request" && JSON.stringify(value)?.includes(sha256),
  );
  return found?.[0] ?? null;
}

function stepOf({ type, data }: Pick<RunEvent, "type" | "data">): string {
  return typeof data.key === "string" ? data.key : type;
}

function describe(error: unknown): string {
  return asDrydockError(error).message;
}
