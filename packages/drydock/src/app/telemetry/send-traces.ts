import type { Run } from "@drydock/protocol";
import manifest from "../../../package.json" with { type: "json" };
import type { Ledger } from "../../ledger/index.ts";
import { readAllEvents } from "../runs/recorded/read-all-events.ts";
import type { TelemetrySettings } from "./telemetry-settings.ts";
import { type OtlpSpan, traceRun } from "./trace-run.ts";
import { TracesRefused } from "./traces-refused.ts";

const MAX_ANCESTORS = 8;

/** Sends runs as OTLP over HTTP, in its JSON encoding. Rejects where the receiver does not take them. */
export async function sendTraces(
  { url, headers, serviceName, timeoutMs }: TelemetrySettings,
  ledger: Ledger,
  runIds: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const spans: OtlpSpan[] = [];
  for (const id of runIds) {
    const run = await ledger.getRun(id);
    if (run) spans.push(...traceRun(run, await readAllEvents(ledger, id), await findAncestors(ledger, run)));
  }
  const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  const body = {
    resourceSpans: [
      {
        resource: {
          attributes: [attribute("service.name", serviceName), attribute("service.version", manifest.version)],
        },
        scopeSpans: [{ scope: { name: "drydock", version: manifest.version }, spans }],
      },
    ],
  };
  const response = await fetch(url, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
    // A receiver elsewhere was not named by the owner.
    redirect: "error",
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  });
  await response.body?.cancel();
  if (!response.ok) throw new TracesRefused(response.status);
}

/** The runs that a run is a part of, the nearest first. */
async function findAncestors(ledger: Ledger, run: Run): Promise<string[]> {
  const found: string[] = [];
  let id: string | undefined = run.id;
  while (id !== undefined && found.length < MAX_ANCESTORS) {
    const [created]: Awaited<ReturnType<Ledger["events"]>> = await ledger.events(id, { limit: 1 });
    const parent: unknown = created?.data.parentRunId;
    id = typeof parent === "string" && !found.includes(parent) ? parent : undefined;
    if (id !== undefined) found.push(id);
  }
  return found;
}
