import { HttpProblem } from "../guard/http-problem.ts";

const MAX_DEPTH = 200;
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json *(?:;|$)/i;

/** The JSON value of a request; `{}` where it has no body. */
export async function readBody(request: Request, maxBytes: number): Promise<{ text: string; value: unknown }> {
  const bytes = await readBytes(request, maxBytes);
  if (bytes.byteLength === 0) return { text: "", value: {} };
  const type = request.headers.get("content-type");
  if (type === null || !JSON_TYPE.test(type)) {
    const message = `The body is ${type === null ? "of no named type" : type}, not JSON.`;
    throw new HttpProblem(415, { message, hint: "Send `Content-Type: application/json`." });
  }
  return parseBody(bytes);
}

/** The JSON value of bytes that have come from outside. */
export function parseBody(bytes: Uint8Array): { text: string; value: unknown } {
  const text = decode(bytes);
  if (isTooDeep(text)) {
    throw invalid(`The body is nested more than ${MAX_DEPTH} levels deep.`, "Send a flatter value.");
  }
  try {
    return { text, value: JSON.parse(text) as unknown };
  } catch (error) {
    throw invalid(`The body is not JSON: ${error instanceof Error ? error.message : error}.`, "Send one JSON value.");
  }
}

/** All bytes of a body, or a refusal as soon as there are too many. */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const declaredLength = Number(request.headers.get("content-length") ?? Number.NaN);
  if (declaredLength > maxBytes) throw tooLarge(maxBytes);
  try {
    // What tells its length beforehand can't be longer: Node holds it to that.
    if (Number.isInteger(declaredLength)) return new Uint8Array(await request.arrayBuffer());
    return await readChunks(request, maxBytes);
  } catch (error) {
    if (error instanceof HttpProblem) throw error;
    throw invalid("The body broke off.", "Send it again.");
  }
}

async function readChunks(request: Request, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalid("The body is not valid UTF-8.", "Send JSON in UTF-8.");
  }
}

/** A value that is nested too deeply exhausts the stack of recursive functions. */
function isTooDeep(text: string): boolean {
  if (text.length <= MAX_DEPTH) return false;
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const char = text.charCodeAt(index);
    if (inString) {
      if (char === 0x5c) index++;
      else if (char === 0x22) inString = false;
    } else if (char === 0x22) inString = true;
    else if (char === 0x5b || char === 0x7b) {
      if (++depth > MAX_DEPTH) return true;
    } else if (char === 0x5d || char === 0x7d) depth--;
  }
  return false;
}

function invalid(message: string, hint: string): HttpProblem {
  return new HttpProblem(400, { message, hint });
}

function tooLarge(maxBytes: number): HttpProblem {
  const message = `The body is over ${maxBytes} bytes.`;
  return new HttpProblem(413, { message, hint: "Send less at once.", data: { maxBytes } }, { connection: "close" });
}
