import type { RunEvent } from "@drydock/protocol";
import * as z from "zod";
import { findEnding } from "../runs/recorded/find-ending.ts";
import type { RecordedRun } from "../runs/recorded/recorded-run.ts";
import { notReplayable } from "./read-recorded.ts";
import { withoutSecret } from "./read-request.ts";
import type { ReplayPorts } from "./replayer.ts";

const RecordedStdin = z.object({
  bytes: z.number(),
  sha256: z.string().optional(),
  missing: z.enum(["large", "secret"]).optional(),
});
const RecordedAnswer = z.object({ bytes: z.number(), text: z.string().optional(), ended: z.boolean().default(false) });

/** What the code read as its standard input: the data that it was given, or the lines that a person answered with. */
export async function readInput(
  ports: Pick<ReplayPorts, "ledger">,
  { run, events }: RecordedRun,
): Promise<Buffer | string | undefined> {
  const { stdin } = findEnding(events)?.data ?? {};
  if (stdin === undefined) return readAnswers(run.id, events);
  const { bytes, sha256, missing } = RecordedStdin.parse(stdin);
  if (sha256 !== undefined) return ports.ledger.blobs.readWhole(sha256);
  if (missing === "secret") throw withoutSecret(run.id, "input");
  throw notReplayable(run.id, `its input of ${bytes} bytes is not on record; up to 16 MB are kept`);
}

function readAnswers(runId: string, events: readonly RunEvent[]): string | undefined {
  const answers = events.filter(({ type }) => type === "input.given").map(({ data }) => RecordedAnswer.parse(data));
  const lines = answers.filter(({ ended, bytes }) => !ended && bytes > 0);
  if (lines.length === 0) return undefined;
  if (lines.some(({ text, bytes }) => text === undefined || Buffer.byteLength(text) !== bytes)) {
    throw notReplayable(
      runId,
      "an input that it was given is not on record whole: it was hidden, long, or held a secret",
    );
  }
  return lines.map(({ text = "" }) => (text.endsWith("\n") ? text : `${text}\n`)).join("");
}
