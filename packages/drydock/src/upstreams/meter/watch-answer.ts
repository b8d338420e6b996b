import { Transform } from "node:stream";
import type { TokenCount } from "../../models/index.ts";
import { mergeUsage, readUsage } from "./read-usage.ts";

/** Sees an answer pass, and what it says about tokens. */
export interface WatchedAnswer {
  stream: Transform;
  /** Null: the answer has said nothing yet. */
  usage(): TokenCount | null;
  /** What came since the answer last said how much it took. */
  unsaidBytes(): number;
}

const MAX_JSON_BYTES = 16 * 1024 * 1024;
const MAX_EVENT_BYTES = 1024 * 1024;

/** `dropUsageChunk`: leaves out the event with the usage of a chat completion, which the run did not ask for. */
export function watchAnswer(contentType: string, dropUsageChunk: boolean): WatchedAnswer {
  return /^text\/event-stream/i.test(contentType) ? watchEvents(dropUsageChunk) : watchJson();
}

function watchJson(): WatchedAnswer {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes <= MAX_JSON_BYTES) chunks.push(chunk);
      done(null, chunk);
    },
  });
  return {
    stream,
    unsaidBytes: () => bytes,
    usage: () => (bytes > MAX_JSON_BYTES ? null : readJsonUsage(Buffer.concat(chunks).toString())),
  };
}

/** Gemini streams one long list where it is not asked for events. */
function readJsonUsage(text: string): TokenCount | null {
  const value = parse(text);
  const parts = Array.isArray(value) ? value : [value];
  return complete(parts.reduce<Partial<TokenCount>>((sum, part) => mergeUsage(sum, readUsage(part) ?? {}), {}));
}

/** Events go on as a whole, each as soon as it is there. */
function watchEvents(dropUsageChunk: boolean): WatchedAnswer {
  let usage: Partial<TokenCount> = {};
  let unsaid = 0;
  let rest = "";

  /** One byte a character, so that what is passed on is what came. */
  function take(event: string): string {
    const data = [...event.matchAll(/^data:(.*)$/gm)].map(([, text = ""]) => text.trim()).join("\n");
    const value = parse(Buffer.from(data, "latin1").toString());
    const found = readUsage(value);
    if (found) usage = mergeUsage(usage, found);
    unsaid = found ? 0 : unsaid + event.length;
    return dropUsageChunk && found && isUsageChunk(value) ? "" : event;
  }

  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      rest += chunk.toString("latin1");
      let out = "";
      for (let end = findEnd(rest); end !== -1; end = findEnd(rest)) {
        out += take(rest.slice(0, end));
        rest = rest.slice(end);
      }
      if (rest.length > MAX_EVENT_BYTES) {
        unsaid += rest.length;
        out += rest;
        rest = "";
      }
      done(null, Buffer.from(out, "latin1"));
    },
    flush(done) {
      done(null, Buffer.from(rest === "" ? "" : take(rest), "latin1"));
    },
  });
  return { stream, unsaidBytes: () => unsaid + rest.length, usage: () => complete(usage) };
}

/** Where the first event ends, its empty line included; -1: it is not all there. */
function findEnd(text: string): number {
  const found = /\r\n\r\n|\n\n|\r\r/.exec(text);
  return found ? found.index + found[0].length : -1;
}

function isUsageChunk(value: unknown): boolean {
  const { choices } = Object(value);
  return Array.isArray(choices) && choices.length === 0;
}

function complete({ input, output, cacheRead = 0, cacheWrite = 0 }: Partial<TokenCount>): TokenCount | null {
  if (input === undefined && output === undefined) return null;
  return { input: input ?? 0, output: output ?? 0, cacheRead, cacheWrite };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
