import { hash } from "node:crypto";
import { DrydockError } from "@drydock/protocol";
import { readText } from "@drydock/protocol/runner";
import { untilAborted } from "../../base/waiting/index.ts";
import type { StoredSource } from "../../ledger/index.ts";
import type { OutgoingMessage } from "../ports.ts";
import type { OutgoingFile, SourceAdapter, SourceDelivery, SourceEvent, SourceRequest, SourceType } from "./adapter.ts";
import { type AnswerStream, createAnswerStream } from "./answer-stream.ts";
import { emitEvent } from "./emit-event.ts";
import type { SourcePorts } from "./ports.ts";
import { readSettings } from "./read-settings.ts";
import { createSourceTally, type SourceTally } from "./source-tally.ts";
import { readSecrets, type SupervisedSource, superviseSource } from "./supervise-source.ts";

/** The sources of a home, as one server runs them. */
export interface ServedSources {
  /** Sources were added, changed or removed. Others are noticed within a second. */
  look(): Promise<void>;
  /** Sends a message where the target's source sends it. */
  deliver(message: Omit<OutgoingMessage, "surface">): Promise<void>;
  /** Answers a request to a path of a type. `key` is the name or the id of the source. Null: there is nothing to answer it. */
  receive(prefix: string, key: string, request: SourceRequest): Promise<Response | null>;
  /** A source of this address that runs here. */
  find(prefix: string, key: string): { name: string; settings: Record<string, unknown> } | null;
  /** Takes nothing more, lets runs under way end until `patience` aborts, and then stops. */
  close(patience: AbortSignal): Promise<void>;
}

interface Kept {
  stored: StoredSource;
  /** Another text where something of it has changed. */
  fingerprint: string;
  tally: SourceTally;
  source: SupervisedSource;
}

const LOOK_MS = 1_000;
const HOLD_MS = 30_000;
const DELIVER_MS = 5 * 60_000;

export function serveSources(ports: SourcePorts, holder: string): ServedSources {
  const kept = new Map<string, Kept>();
  const streams = new Map<string, AnswerStream>();
  const underWay = new Set<Promise<unknown>>();
  const stopping = new AbortController();
  const draining = new AbortController();
  const typeOf = (name: string) => ports.types.find(({ type }) => type === name);

  const requireAdapter = (name: string): SourceAdapter => {
    const adapter = kept.get(name)?.source.adapter();
    if (adapter?.deliver) return adapter;
    const hint = "`drydock source show` tells how it stands. A source runs in one server of a home.";
    throw new DrydockError("source.not_found", `The source ${name} does not run here.`, hint, { source: name });
  };

  const findAddressed = (prefix: string, key: string) =>
    [...kept.values()].find(({ stored, source: { type } }) => {
      if (type.path?.prefix !== prefix) return false;
      return key === (type.path.by === "id" ? stored.id : stored.source.name);
    });

  const send = async (delivery: Omit<SourceDelivery, "signal">, name: string): Promise<void> => {
    const signal = AbortSignal.any([AbortSignal.timeout(DELIVER_MS), stopping.signal]);
    const adapter = requireAdapter(name);
    const stream = streams.get(delivery.runId);
    const whole = { ...delivery, signal };
    const sending = stream?.source === name ? stream.finish(whole) : Promise.resolve(adapter.deliver?.(whole));
    await untilAborted<unknown>(sending, signal, () => tooLate(name));
  };

  const emit = async (found: Pick<Kept, "stored" | "tally">, type: SourceType, event: SourceEvent) => {
    const { name } = found.stored.source;
    const emitted = await emitEvent(
      {
        ...{ ports, type, ...found, stopping: stopping.signal },
        openStream(runId, target) {
          const stream = createAnswerStream({
            ...{ source: name, target, runId, signal: stopping.signal },
            answers: type.answers ?? { maxMessageChars: null, editEveryMs: null },
            adapter: () => requireAdapter(name),
          });
          streams.set(runId, stream);
          return { ...stream, close: () => stream.close().finally(() => streams.delete(runId)) };
        },
        deliver: ({ target, text, runId }) =>
          send(
            { target, text, runId, message: { role: "assistant", content: text }, files: [], isComplete: true },
            name,
          ),
        showWork: (target) =>
          void kept
            .get(name)
            ?.source.adapter()
            ?.showWork?.(target)
            .catch(() => {}),
      },
      event,
    );
    underWay.add(emitted.done);
    void emitted.done.then(() => underWay.delete(emitted.done));
    return emitted;
  };

  const start = (stored: StoredSource, type: SourceType, fingerprint: string) => {
    const tally = createSourceTally(ports.store, stored.id, ports.now);
    const source = superviseSource({
      ports,
      stored,
      type,
      tally,
      emit: (event) => emit({ stored, tally }, type, event),
    });
    kept.set(stored.source.name, { stored, fingerprint, tally, source });
  };
  const stop = async (name: string) => {
    const found = kept.get(name);
    kept.delete(name);
    await found?.source.stop();
  };

  const lookOnce = async () => {
    if (draining.signal.aborted) return;
    const all = await ports.store.list();
    // A source of a type that this version does not know stays as it is: stopped.
    const enabled = all.flatMap((stored) => {
      const type = stored.source.enabled ? typeOf(stored.source.type) : undefined;
      return type ? [{ stored, type }] : [];
    });
    const needsHold = enabled.some(({ type }) => type.runs === "once");
    const holds = needsHold && (await ports.store.hold(holder, HOLD_MS));
    const wanted = new Map<string, { stored: StoredSource; type: SourceType; fingerprint: string }>();
    for (const { stored, type } of enabled)
      if (holds || type.runs === "everywhere")
        wanted.set(stored.source.name, { stored, type, fingerprint: await fingerprintOf(ports, stored, type) });
    const gone = [...kept].filter(([name, { fingerprint }]) => wanted.get(name)?.fingerprint !== fingerprint);
    await Promise.all(gone.map(([name]) => stop(name)));
    for (const [name, { stored, type, fingerprint }] of wanted) if (!kept.has(name)) start(stored, type, fingerprint);
    await Promise.all([...kept.values()].map(({ tally }) => tally.save()));
  };
  let looking: Promise<void> = Promise.resolve();
  const look = () => {
    looking = looking.then(lookOnce).catch((error: Error) => {
      const text = `The event sources could not be looked up: ${error.message}`;
      ports.warnings.note({ kind: "fault", source: "sources", text });
    });
    return looking;
  };
  const timer = setInterval(() => void look(), LOOK_MS).unref();

  return {
    look,
    async deliver({ target: { source, ...target }, message, runId, artifacts }) {
      const name = String(source);
      const files = await findFiles(ports, { message, runId, artifacts });
      await send({ target, text: withAddresses(message), message, files, runId, isComplete: true }, name);
    },
    async receive(prefix, key, request) {
      const adapter = findAddressed(prefix, key)?.source.adapter();
      if (adapter?.receive) return adapter.receive(request);
      const type = ports.types.find(({ path }) => path?.prefix === prefix);
      return (await (await type?.load())?.refuseStranger?.(request)) ?? null;
    },
    find(prefix, key) {
      const found = findAddressed(prefix, key);
      if (!found?.source.adapter()) return null;
      const { name, settings } = found.stored.source;
      return { name, settings: readSettings(found.source.type, settings) };
    },
    async close(patience) {
      clearInterval(timer);
      draining.abort();
      for (const { source } of kept.values()) source.drain();
      await looking;
      await Promise.race([Promise.allSettled(underWay), aborted(patience)]);
      stopping.abort();
      await Promise.allSettled([...kept.keys()].map(stop));
      await Promise.allSettled(underWay);
      await ports.store.letGo(holder).catch(() => {});
      await ports.warnings.close();
    },
  };
}

/** Settings and secrets: a source is started again where one of them has changed. */
async function fingerprintOf(
  ports: Pick<SourcePorts, "readSecret">,
  stored: StoredSource,
  type: SourceType,
): Promise<string> {
  // What is missing is said by the source when it starts.
  const secrets = await readSecrets(ports, stored, type).catch((error: Error) => error.message);
  return hash("sha256", JSON.stringify([stored.id, stored.source, secrets]));
}

/** What goes with a message: files that it names, and artifacts that the run has made since the last one. */
async function findFiles(
  { findFile }: Pick<SourcePorts, "findFile">,
  { message, runId, artifacts }: Pick<OutgoingMessage, "message" | "runId" | "artifacts">,
): Promise<OutgoingFile[]> {
  const parts = Array.isArray(message.content) ? message.content : [];
  const named = parts.flatMap((part) =>
    part.type === "file" && "artifact_id" in part ? [String(part.artifact_id)] : [],
  );
  const files: OutgoingFile[] = [];
  for (const id of new Set([...named, ...artifacts])) {
    const file = await findFile(runId, id);
    if (file) files.push(file);
  }
  return files;
}

/** Pictures that lie elsewhere are named by their address. */
function withAddresses(message: OutgoingMessage["message"]): string {
  const parts = Array.isArray(message.content) ? message.content : [];
  const addresses = parts.flatMap((part) => {
    const url = part.type === "image_url" ? String(Object(part.image_url).url) : "";
    return /^https?:\/\//.test(url) ? [url] : [];
  });
  return [readText(message), ...addresses].filter((text) => text !== "").join("\n");
}

function tooLate(name: string): DrydockError {
  const hint = "Look at the source: `drydock source show`.";
  const message = `The source ${name} did not send the message in time.`;
  return new DrydockError("limit.timeout", message, hint, { source: name });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
