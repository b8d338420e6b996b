import type { Ledger } from "../../../ledger/index.ts";
import { INLINE_OUTPUT_CHARS, recordOutput } from "./record-output.ts";

const EVERY_MS = 1000;
/** More than is recorded: what is cut has to be without secrets first. */
const MOST_CHARS = 2 * INLINE_OUTPUT_CHARS;

export interface KeptOutput {
  add(stream: "stdout" | "stderr", bytes: Buffer): void;
  /** Stops keeping output. What is kept already stays, for recovering the run. */
  stop(): void;
  /** The run's end is on record. */
  drop(): void;
}

/** Keeps what a run says for the case that this process is killed: after a second, and then once a second at most. */
export function keepOutput(ledger: Pick<Ledger, "redact" | "unfinished">, admit: () => Promise<string>): KeptOutput {
  let decoders: Record<"stdout" | "stderr", InstanceType<typeof TextDecoder>> | undefined;
  const waiting: [stream: "stdout" | "stderr", bytes: Buffer][] = [];
  const texts = { stdout: "", stderr: "" };
  const chars = { stdout: 0, stderr: 0 };
  let keptOf: string | undefined;
  let closed = false;

  const keep = async () => {
    if (waiting.length === 0) return;
    decoders ??= { stdout: new TextDecoder(), stderr: new TextDecoder() };
    for (const [stream, bytes] of waiting.splice(0)) {
      const text = decoders[stream].decode(bytes, { stream: true });
      chars[stream] += text.length;
      if (texts[stream].length < MOST_CHARS) texts[stream] += text.slice(0, MOST_CHARS - texts[stream].length);
    }
    const runId = await admit();
    if (closed) return;
    const { type, data } = recordOutput(ledger, {
      stdout: leaveOutCutSecret(ledger, texts.stdout),
      stderr: leaveOutCutSecret(ledger, texts.stderr),
    });
    ledger.unfinished.keep(runId, { type, data: { ...data, stdoutChars: chars.stdout, stderrChars: chars.stderr } });
    keptOf = runId;
  };
  // If this can't be written, writing the record fails too, and that error is reported.
  const timer = setInterval(() => keep().catch(() => {}), EVERY_MS);
  timer.unref();
  const stop = () => {
    closed = true;
    clearInterval(timer);
  };
  return {
    add: (stream, bytes) => waiting.push([stream, bytes]),
    stop,
    drop() {
      stop();
      if (keptOf !== undefined) ledger.unfinished.drop(keptOf);
    },
  };
}

/**
 * A text of which only the beginning is held may end within a secret. Where redaction made it much shorter, that end would
 * come before the cut and be recorded: as much as the longest secret is left out behind what was redacted.
 */
function leaveOutCutSecret(ledger: Pick<Ledger, "redact">, text: string): string {
  if (text.length < MOST_CHARS) return text;
  const clean = ledger.redact(text);
  return clean.slice(0, Math.max(0, Math.min(INLINE_OUTPUT_CHARS, clean.length - INLINE_OUTPUT_CHARS)));
}
