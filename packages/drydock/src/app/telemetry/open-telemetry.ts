import { type RunEvent, TERMINAL_EVENTS } from "@drydock/protocol";
import type { Ledger } from "../../ledger/index.ts";
import type { TelemetrySettings } from "./telemetry-settings.ts";
import { TracesRefused } from "./traces-refused.ts";

export interface Telemetry {
  /** Notes runs that have ended. */
  onEvents(events: readonly RunEvent[]): void;
  /** Sends what is left, for a bounded time. */
  close(): Promise<void>;
}

/** How long a dock that closes waits for the last traces. */
const CLOSE_MS = 2000;
/** Runs that wait to be sent; what comes on top is dropped. */
const MAX_WAITING = 1000;

/**
 * Sends each run that has ended as a trace. A run never waits for it, and never fails by it: what can't be sent is dropped, and
 * the first time a warning says so.
 */
export function openTelemetry(settings: TelemetrySettings, ledger: () => Ledger): Telemetry {
  const waiting: string[] = [];
  const stopping = new AbortController();
  let sending: Promise<void> | undefined;
  let isWarned = false;

  const warn = (problem: string) => {
    if (isWarned) return;
    isWarned = true;
    process.emitWarning(`Traces can't be sent to ${originOf(settings.url)}: ${problem}`, "DrydockWarning");
  };

  async function sendWaiting(): Promise<void> {
    const { sendTraces } = await import("./send-traces.ts");
    while (waiting.length > 0 && !stopping.signal.aborted) {
      const runIds = waiting.splice(0, 50);
      try {
        await sendTraces(settings, ledger(), runIds, stopping.signal);
      } catch (error) {
        warn(describeProblem(error));
      }
    }
  }

  return {
    onEvents(events) {
      const ended = events.find(({ type }) => (TERMINAL_EVENTS as readonly string[]).includes(type));
      if (!ended) return;
      if (waiting.length >= MAX_WAITING) return warn("runs end faster than they can be sent");
      waiting.push(ended.runId);
      sending ??= sendWaiting().finally(() => {
        sending = undefined;
      });
    },
    async close() {
      const timer = setTimeout(() => stopping.abort(), CLOSE_MS);
      await sending;
      clearTimeout(timer);
    },
  };
}

/** The message of an error that is not ours may hold the whole address. */
function describeProblem(error: unknown): string {
  if (error instanceof TracesRefused) return error.message;
  const { code } = Object((error as Error).cause) as { code?: unknown };
  return typeof code === "string" ? code : (error as Error).name;
}

/** A path or a query may hold a key. */
function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : "the address in OTEL_EXPORTER_OTLP_ENDPOINT";
}
