import { ErrorInfo, type ExecResult, hasEnded, type RunEvent, SandboxReport, Usage } from "@drydock/protocol";
import type { Ledger } from "../../ledger/index.ts";
import { layerChanges } from "../../sandbox/index.ts";
import type { ExecOptions } from "../execute/api.ts";
import type { FollowOptions } from "../runs/api.ts";
import { readLayer } from "../runs/read-layer.ts";
import { findEnding } from "../runs/recorded/find-ending.ts";
import { readAllEvents } from "../runs/recorded/read-all-events.ts";

export interface AwaitPorts {
  ledger: Ledger;
  follow(runId: string, options?: FollowOptions): AsyncGenerator<RunEvent[]>;
  cancel(runId: string): Promise<void>;
}

/** Waits for a run that a worker carries out, and reads its result from the record. */
export async function awaitExec(
  ports: AwaitPorts,
  runId: string,
  { signal, onOutput }: Pick<ExecOptions, "signal" | "onOutput">,
): Promise<ExecResult> {
  const cancel = () => void ports.cancel(runId).catch(() => {});
  if (signal?.aborted) cancel();
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    for await (const events of ports.follow(runId)) {
      for (const { type, data } of events) {
        if (type !== "output.recorded") continue;
        for (const stream of ["stdout", "stderr"] as const) {
          if (data[stream]) onOutput?.({ stream, text: String(data[stream]) });
        }
      }
    }
    return await readExecResult(ports.ledger, runId);
  } finally {
    signal?.removeEventListener("abort", cancel);
  }
}

async function readExecResult(ledger: Ledger, runId: string): Promise<ExecResult> {
  const events = await readAllEvents(ledger, runId);
  const find = (type: RunEvent["type"]) => events.findLast((event) => event.type === type);
  const ending = findEnding(events);
  const { error, result, treeHash, usage, sandbox, notes, reason } = ending?.data ?? {};
  const output = find("output.recorded")?.data ?? {};
  const captured = find("layer.captured");
  const layer = captured ? await readLayer(ledger, captured) : null;
  const run = await ledger.getRun(runId);
  const isLost = ending?.type === "run.lost" || !run || !hasEnded(run);
  const artifacts = (await ledger.artifacts.list(runId)).map(({ id, name, mime, size, sha256 }) => ({
    ...{ id, name, mime, size, sha256 },
  }));
  return {
    ok: ending?.type === "run.succeeded",
    runId,
    stdout: String(output.stdout ?? ""),
    stderr: String(output.stderr ?? ""),
    result: result ?? null,
    error: isLost ? lostError(String(reason ?? "")) : (ErrorInfo.safeParse(error).data ?? null),
    artifacts,
    changes: layer ? layerChanges(layer) : [],
    treeHash: typeof treeHash === "string" ? treeHash : "",
    usage: Usage.safeParse(usage).data ?? { wallMs: 0, cpuMs: 0, peakMemoryBytes: 0 },
    sandbox: SandboxReport.safeParse(sandbox).data ?? { backend: "namespaces", level: "none" },
    notes: [...(Array.isArray(notes) ? notes.map(String) : []), ...noteCut(output)],
  };
}

function noteCut(output: Record<string, unknown>): string[] {
  const cut = (["stdout", "stderr"] as const).filter(
    (stream) => Number(output[`${stream}Chars`] ?? 0) > String(output[stream] ?? "").length,
  );
  return cut.map((stream) => `only the beginning of ${stream} is recorded here; the whole of it is an artifact`);
}

function lostError(reason: string): ErrorInfo {
  return {
    code: "internal",
    message: `The run was lost. ${reason}`.trim(),
    hint: "Send it again when that does no harm.",
  };
}
