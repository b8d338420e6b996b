/** One event of a stream. `data` is JSON where it is such, else text. */
export interface StreamEvent {
  event: string;
  data: unknown;
}

/** More without an end of the event is no stream that can be read. */
const MAX_EVENT_CHARS = 1024 * 1024;

/**
 * Server-sent events, in pieces of any size, with any of the three ends of a line. Plugins get nothing but the SDK in their
 * sandbox, so that no library does this here. Several JSON values on lines of one event are a list.
 */
export async function* readEvents(pieces: AsyncIterable<string>): AsyncGenerator<StreamEvent, void, void> {
  let event = "";
  let data: string[] = [];
  for await (const line of readLines(pieces)) {
    if (line === "") {
      if (data.length > 0) yield { event: event || "message", data: parseData(data) };
      event = "";
      data = [];
    } else if (line.startsWith("event:")) event = line.slice(6).trim();
    else if (line.startsWith("data:")) data.push(line.slice(5).trimStart());
  }
  // Some servers leave out the empty line after the last event.
  if (data.length > 0) yield { event: event || "message", data: parseData(data) };
}

/** One JSON value a line. Lines that are none are left out. */
export async function* readJsonLines(
  pieces: AsyncIterable<string>,
): AsyncGenerator<Record<string, unknown>, void, void> {
  for await (const line of readLines(pieces)) {
    const value = parseJson(line.trim());
    if (typeof value === "object" && value !== null) yield value as Record<string, unknown>;
  }
}

async function* readLines(pieces: AsyncIterable<string>): AsyncGenerator<string, void, void> {
  let rest = "";
  for await (const piece of pieces) {
    rest += piece;
    // A carriage return at the end may be the first half of an end of line.
    const whole = rest.endsWith("\r") ? rest.slice(0, -1) : rest;
    const lines = whole.split(/\r\n|\r|\n/);
    rest = (lines.pop() ?? "") + rest.slice(whole.length);
    yield* lines;
    if (rest.length > MAX_EVENT_CHARS) throw new RangeError("a line of the stream has more than 1 MiB");
  }
  if (rest !== "") yield* rest.split(/\r\n|\r|\n/);
}

function parseData(lines: readonly string[]): unknown {
  const text = lines.join("\n");
  const whole = parseJson(text);
  if (whole !== undefined) return whole;
  const parts = lines.filter((line) => line.trim() !== "").map(parseJson);
  return parts.length > 0 && parts.every((part) => part !== undefined) ? parts : text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
