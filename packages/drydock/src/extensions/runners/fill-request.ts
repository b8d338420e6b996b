import { type ApiRequest, DrydockError } from "@drydock/protocol";
import { type FillOptions, fillText, findWholeName, pickValue, type Values, writeValue } from "../router/fill-text.ts";

export interface FilledRequest {
  method: ApiRequest["method"];
  url: URL;
  headers: [name: string, value: string][];
  body: string | null;
}

type Filling = Pick<FillOptions, "input">;

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * The request with the values in their places. A value stays what it is: in the address it is encoded, so that it is never
 * another path, parameter or host; in JSON it is a value; in a header it is one line. What a missing value alone would
 * have filled is left out.
 */
export function fillRequest(request: ApiRequest, values: Values, filling: Filling = {}): FilledRequest {
  const url = fillAddress(request.url, values, filling);
  for (const [name, template] of Object.entries(request.query)) {
    const value = fillOptional(template, values, filling);
    if (value !== undefined) url.searchParams.append(name, value);
  }
  const headers: [string, string][] = [];
  for (const [name, template] of Object.entries(request.headers)) {
    const value = fillOptional(template, values, filling);
    if (value !== undefined) headers.push([name, value]);
  }
  const body = request.body === undefined ? null : fillBody(request.body, values, filling);
  if (body !== null && !headers.some(([name]) => name.toLowerCase() === "content-type")) {
    const isText = typeof request.body === "string";
    headers.push(["Content-Type", isText ? "text/plain; charset=utf-8" : "application/json"]);
  }
  for (const [name, value] of headers) checkHeader(name, value);
  return { method: request.method, url, headers, body };
}

function fillAddress(template: string, values: Values, filling: Filling): URL {
  const encode = (text: string) => encodeURIComponent(text.toWellFormed());
  const encoded = Object.entries(values).map(([name, value]) => [name, encode(writeValue(value))]);
  const input = filling.input === undefined ? undefined : encode(filling.input);
  const text = fillText(template, Object.fromEntries(encoded), { input });
  const [path = ""] = text.replace(/^https?:\/\/[^/?#]*/, "").split(/[?#]/);
  // Encoded or not, a URL takes these for a way upwards.
  if (path.split("/").some((part) => /^(?:\.|%2e){1,2}$/i.test(part))) {
    throw invalid("A value can't be . or .. in the path of an address.");
  }
  const url = URL.parse(text);
  if (!url) throw invalid(`The address ${text.slice(0, 200)} can't be read.`);
  return url;
}

function fillOptional(template: string, values: Values, filling: Filling): string | undefined {
  const alone = findWholeName(template);
  if (alone !== null && pickValue(alone, values, filling) === undefined) return undefined;
  return fillText(template, values, filling);
}

function fillBody(body: unknown, values: Values, filling: Filling): string {
  return typeof body === "string" ? fillText(body, values, filling) : JSON.stringify(fillJson(body, values, filling));
}

function fillJson(node: unknown, values: Values, filling: Filling): unknown {
  if (typeof node === "string") {
    const alone = findWholeName(node);
    return alone === null ? fillText(node, values, filling) : pickValue(alone, values, filling);
  }
  if (Array.isArray(node)) {
    return node.map((item) => fillJson(item, values, filling)).filter((item) => item !== undefined);
  }
  if (typeof node !== "object" || node === null) return node;
  // What is undefined is left out of the text.
  return Object.fromEntries(Object.entries(node).map(([key, item]) => [key, fillJson(item, values, filling)]));
}

export function checkHeader(name: string, value: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  if (HEADER_NAME.test(name) && !/[\x00-\x08\x0a-\x1f\x7f]/.test(value)) return;
  throw invalid(`The header ${JSON.stringify(name.slice(0, 80))} can't be sent: it has to be one line of text.`);
}

function invalid(message: string): DrydockError {
  return new DrydockError("input.invalid", message, "Give other values; --help shows what the action takes.");
}
