import type { EventType } from "@drydock/protocol";
import type { RunRecord } from "../../host/index.ts";
import type { Ledger } from "../../ledger/index.ts";
import { openControl } from "../runs/open-control.ts";
import { toKeptText } from "../runs/record/kept-content.ts";
import type { LateEnds } from "./late-ends.ts";

/** Larger values are contents of their own. */
const INLINE_CHARS = 4096;

/** A run of the kind `runner`. Its events are written one after the other. An end that can't be written now is written later. */
export async function recordRunnerRun(
  ledger: Ledger,
  lateEnds: LateEnds,
  { title, data }: { title: string; data: Record<string, unknown> },
): Promise<RunRecord> {
  const { id } = await ledger.createRun({ kind: "runner", title, workspace: null, data: { policy: null, ...data } });
  const control = openControl(ledger, id, undefined);
  let last: Promise<unknown> = Promise.resolve();
  const inOrder = async (work: () => Promise<unknown>): Promise<void> => {
    const done = last.then(work);
    last = done.catch(() => {});
    await done;
  };
  return {
    id,
    cancelled: control.signal,
    append: (type: EventType, eventData) => inOrder(() => ledger.append(id, [{ type, data: eventData }])),
    finish: (type, eventData) =>
      inOrder(() => {
        const end = () => ledger.finish(id, { type, data: eventData });
        return end().catch((error: unknown) => {
          lateEnds.add(end);
          throw error;
        });
      }),
    async keep(value) {
      const text = JSON.stringify(value) ?? "null";
      const content = toKeptText(ledger, text);
      if (content === null) return {};
      if (text.length <= INLINE_CHARS) return { json: text };
      return { sha256: (await ledger.blobs.put(content, { runId: id })).sha256 };
    },
    storeArtifact: async (content, { name, mime }) =>
      (await ledger.artifacts.put(content, { runId: id, name, mime })).id,
    async readArtifact(artifactId, range) {
      const found = await ledger.artifacts.get(artifactId);
      if (!found || found.runId !== id) return null;
      const { name, mime, sha256, size } = found;
      const isEmpty = range !== undefined && (range.start >= size || range.end <= range.start);
      const content = range === undefined || isEmpty ? Buffer.alloc(0) : await ledger.artifacts.read(artifactId, range);
      return { name, mime, sha256, size, content };
    },
    close: () => control.close(),
  };
}
