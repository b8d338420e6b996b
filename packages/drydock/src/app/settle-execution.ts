import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { basename, extname } from "node:path";
import type { ArtifactRef, EffectivePolicy, ExecResult, Layer } from "@drydock/protocol";
import type { Ledger, NewEvent } from "../ledger/index.ts";
import type { RuleOrigins } from "../policy/index.ts";
import { type Execution, layerChanges } from "../sandbox/index.ts";
import { cutRedacted } from "./cut-redacted.ts";
import { type JudgedWork, judgeExecution } from "./judge-execution.ts";
import { keepLayerBases } from "./keep-bases.ts";

const MB = 1024 * 1024;
export const INLINE_OUTPUT_CHARS = 64 * 1024;
const MAX_FILE_ARTIFACTS = 64;
const MAX_ARTIFACT_BYTES = 64 * MB;
const MIME: Record<string, string> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".svg": "image/svg+xml",
  ".webp": "image/webp",
  ".pdf": "application/pdf",
  ".json": "application/json",
  ".csv": "text/csv",
  ".html": "text/html",
  ".md": "text/markdown",
  ".txt": "text/plain",
  ".py": "text/x-python",
};

export interface Settled {
  result: Omit<ExecResult, "runId">;
  events: NewEvent[];
  terminal: NewEvent;
}

/** Turns what a warden told into the result and into the events that record it. */
export async function settleExecution(
  ledger: Ledger,
  runId: string,
  work: JudgedWork,
  policy: EffectivePolicy,
  execution: Execution,
  rules?: RuleOrigins,
): Promise<Settled> {
  const { network } = execution;
  const { stdout, stderr, result, error, usage, layer, notes } = await judgeExecution(work, policy, execution, rules);
  const events: NewEvent[] = [];
  const large = layer.entries.filter((entry) => (entry.size ?? 0) > MAX_ARTIFACT_BYTES);
  if (large.length > 0) {
    notes.push(
      `too large to be an artifact (over 64 MB): ${large
        .slice(0, 5)
        .map((entry) => entry.path)
        .join(", ")}`,
    );
  }
  const artifacts = await storeArtifacts(ledger, runId, execution, layer, stdout, stderr);
  if (layer.entries.length > 0) events.push(await recordLayer(ledger, runId, execution, layer));
  const texts = { stdout: stdout.toString(), stderr: stderr.toString() };
  if (stdout.length + stderr.length > 0) events.push(recordOutput(ledger, texts));
  for (const refused of network.refused) events.push({ type: "network.refused", data: refused });
  for (const connected of network.connected) events.push({ type: "network.connected", data: connected });
  for (const artifact of artifacts) events.push({ type: "artifact.stored", data: artifact });
  const told = { error, usage, sandbox: execution.report, treeHash: layer.treeHash, notes };
  const type = error === null ? "run.succeeded" : error.code === "run.cancelled" ? "run.cancelled" : "run.failed";
  return {
    result: {
      ok: error === null,
      ...texts,
      result,
      error,
      artifacts,
      changes: layerChanges(layer),
      treeHash: layer.treeHash,
      usage,
      sandbox: execution.report,
      notes,
    },
    events,
    terminal: {
      type,
      data: { ...told, result: JSON.stringify(result)?.length > INLINE_OUTPUT_CHARS ? "[too large]" : result },
    },
  };
}

export function recordOutput(ledger: Pick<Ledger, "redact">, texts: { stdout: string; stderr: string }): NewEvent {
  return {
    type: "output.recorded",
    data: {
      stdout: cutRedacted(ledger, texts.stdout, INLINE_OUTPUT_CHARS),
      stderr: cutRedacted(ledger, texts.stderr, INLINE_OUTPUT_CHARS),
      stdoutChars: texts.stdout.length,
      stderrChars: texts.stderr.length,
    },
  };
}

async function recordLayer(ledger: Ledger, runId: string, { transcript }: Execution, layer: Layer): Promise<NewEvent> {
  await ledger.blobs.putAll([...transcript.contents.values()], { runId });
  await keepLayerBases(ledger, runId, layer);
  const blob = await ledger.blobs.put(Buffer.from(JSON.stringify(layer)), { runId });
  const { baseHash, treeHash, denied, changedUnderneath } = layer;
  return {
    type: "layer.captured",
    data: {
      layer: blob.sha256,
      entries: layer.entries.length,
      baseHash,
      treeHash,
      denied: denied.slice(0, 50),
      changedUnderneath: changedUnderneath.slice(0, 50),
    },
  };
}

export async function storeArtifacts(
  ledger: Ledger,
  runId: string,
  { transcript }: Execution,
  layer: Layer,
  stdout: Buffer,
  stderr: Buffer,
): Promise<ArtifactRef[]> {
  const stored: ArtifactRef[] = [];
  const keep = async (content: Buffer, name: string, mime: string) => {
    stored.push(await ledger.artifacts.put(content, { runId, name, mime }));
  };
  for (const [name, bytes] of [
    ["stdout", stdout],
    ["stderr", stderr],
  ] as const) {
    // One byte that is no text must not carry the secrets around it past the redaction: each byte is a character here.
    if (!isUtf8(bytes)) {
      const clean = Buffer.from(ledger.redact(bytes.toString("latin1")), "latin1");
      await keep(clean, `${name}.bin`, "application/octet-stream");
    } else if (bytes.length > INLINE_OUTPUT_CHARS) await keep(bytes, `${name}.txt`, "text/plain");
  }
  const files = layer.entries.filter(
    (entry) =>
      entry.type === "file" && entry.kind !== "deleted" && entry.sha256 && (entry.size ?? 0) <= MAX_ARTIFACT_BYTES,
  );
  for (const entry of files.slice(0, MAX_FILE_ARTIFACTS)) {
    const content = transcript.contents.get(entry.sha256 ?? "");
    if (content === undefined) continue;
    await keep(typeof content === "string" ? await readFile(content) : content, entry.path, mimeOf(entry.path));
  }
  // A figure that the code saved itself comes back as that file.
  const savedPicture = files.some((entry) => mimeOf(entry.path).startsWith("image/") || entry.path.endsWith(".pdf"));
  if (!savedPicture) for (const figure of transcript.figures) await keep(figure.bytes, figure.name, "image/png");
  return stored;
}

function mimeOf(path: string): string {
  return MIME[extname(basename(path)).toLowerCase()] ?? "application/octet-stream";
}
