import type { DrydockError } from "@drydock/protocol";
import type * as z from "zod";
import type { RecordedRun } from "../runs/recorded/recorded-run.ts";
import { notReplayable } from "./read-recorded.ts";

/** What stands in a record in the place of a secret. */
const REDACTED = "[redacted:";

/** The request of a run. Rejects where a secret was taken out of it: what was executed is not on record then. */
export function readRequest<T>({ run, events }: RecordedRun, schema: z.ZodType<T>, field = "request"): T {
  const request = events[0]?.data[field];
  const parsed = schema.safeParse(request);
  if (!parsed.success) throw notReplayable(run.id, "its request can't be read");
  if (JSON.stringify(request).includes(REDACTED)) throw withoutSecret(run.id, "request");
  return parsed.data;
}

export function withoutSecret(runId: string, what: string): DrydockError {
  const hint = "Secrets are not stored. Run it again instead.";
  return notReplayable(runId, `its ${what} held a secret, which is not on record`, hint);
}
