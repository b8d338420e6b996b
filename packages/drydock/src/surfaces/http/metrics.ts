import type { RunEvent } from "@drydock/protocol";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Dock } from "../../app/index.ts";
import { addRunMetrics } from "./run-metrics.ts";

export interface Metrics {
  answered(operation: string, status: number, seconds: number): void;
  /** Counts one more reader of a stream; the returned function ends it. */
  streaming(): () => void;
  /** How many streams are being read. */
  streams(): number;
  /** Takes the events that this server records. */
  observe(events: readonly RunEvent[]): void;
  write(): Promise<string>;
}

export function createMetrics(dock: Dock, countBackground: () => number): Metrics {
  let reading = 0;
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
  const requests = new Counter({
    name: "drydock_http_requests_total",
    help: "Requests that were answered",
    labelNames: ["operation", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "drydock_http_request_seconds",
    help: "How long requests took, streams up to their first byte",
    labelNames: ["operation"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30, 120],
    registers,
  });
  const streams = new Gauge({ name: "drydock_http_streams", help: "Streams that are being read", registers });
  new Gauge({
    name: "drydock_sessions_live",
    help: "Sessions that are live in this server",
    registers,
    collect() {
      this.set(dock.sessions.list().length);
    },
  });
  new Gauge({
    name: "drydock_session_steps",
    help: "Steps that sessions of this home have run",
    labelNames: ["ok"],
    registers,
    async collect() {
      const { steps, failedSteps } = await dock.sessions.totals();
      this.set({ ok: "true" }, steps - failedSteps);
      this.set({ ok: "false" }, failedSteps);
    },
  });
  new Gauge({
    name: "drydock_background_runs",
    help: "Runs under way in the background of this server",
    registers,
    collect() {
      this.set(countBackground());
    },
  });
  const observe = addRunMetrics(dock, register);
  return {
    observe,
    answered(operation, status, seconds) {
      requests.inc({ operation, status });
      durations.observe({ operation }, seconds);
    },
    streams: () => reading,
    streaming() {
      streams.set(++reading);
      let isOver = false;
      return () => {
        if (!isOver) streams.set(--reading);
        isOver = true;
      };
    },
    write: () => register.metrics(),
  };
}
