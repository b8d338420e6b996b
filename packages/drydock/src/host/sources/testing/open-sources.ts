import type { HostEventInput, SendResult } from "@drydock/protocol";
import * as z from "zod";
import type { Ledger } from "../../../ledger/index.ts";
import type { SourceAdapter, SourceContext, SourceProgram, SourceType } from "../adapter.ts";
import type { SourcePorts } from "../ports.ts";
import { type ServedSources, serveSources } from "../serve-sources.ts";

/** A type of source whose program a test gives. */
export function makeType(
  start: (context: SourceContext) => Promise<Partial<SourceAdapter>>,
  more: Partial<SourceType> = {},
): SourceType {
  const program: SourceProgram = {
    start: async (context) => ({ stop: async () => {}, ...(await start(context)) }),
    test: async () => "tried",
  };
  return {
    ...{ type: "made", summary: "Made by a test.", settings: z.strictObject({ word: z.string().optional() }) },
    ...{ secrets: {}, eventSource: "platform", events: ["message.received"], runs: "once", path: null },
    answers: { maxMessageChars: 100, editEveryMs: null },
    load: async () => program,
    ...more,
  };
}

export interface OpenedSources extends AsyncDisposable {
  served: ServedSources;
  sent: HostEventInput[];
  warnings: string[];
  secrets: Map<string, string>;
  add(name: string, settings?: Record<string, unknown>, secrets?: Record<string, string>): Promise<void>;
  status(name: string): Promise<string>;
}

/** The sources of a ledger, with a host that answers by `answer`. */
export async function openSources(
  ledger: Ledger,
  type: SourceType,
  answer: SourcePorts["send"] = async () => ({ eventId: "evt_1", kind: "unbound", reason: "a test" }) as SendResult,
): Promise<OpenedSources> {
  const { sources: store } = await ledger.openHost();
  const sent: HostEventInput[] = [];
  const warnings: string[] = [];
  const secrets = new Map<string, string>();
  const served = serveSources(
    {
      ...{ types: [type], store, now: Date.now },
      readSecret: async (name) => secrets.get(name) ?? null,
      send(event, options) {
        sent.push(event);
        return answer(event, options);
      },
      findAgent: async () => ({ delivery: { streaming: true, reply: true } }),
      findFile: async (_runId, artifactId) => ({
        ...{ artifactId, name: `${artifactId}.txt`, mime: "text/plain", size: 4 },
        read: async () => Buffer.from("file"),
      }),
      warnings: { note: ({ text }) => void warnings.push(text), close: async () => {} },
    },
    `holder-${Math.floor(performance.now() * 1000)}`,
  );
  return {
    ...{ served, sent, warnings, secrets },
    async add(name, settings = {}, named = {}) {
      await store.add({ name, type: type.type, settings, secrets: named, enabled: true });
      await served.look();
    },
    status: async (name) => (await store.find(name))?.status.state ?? "gone",
    [Symbol.asyncDispose]: () => served.close(AbortSignal.abort()),
  };
}
