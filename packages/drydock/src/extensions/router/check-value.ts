import type { CommandArgument, CommandFlag, ParameterType, ParameterValue } from "@drydock/protocol";
import { findNearestWord } from "../../base/text/index.ts";
import { describeValue } from "./describe-value.ts";
import { refuseDepth } from "./refuse-depth.ts";
import { refuseInput, showText } from "./refuse-input.ts";

export type Parameter = CommandArgument | CommandFlag;

const MAX_TEXT_CHARS = 1_048_576;
const INTEGER = /^[+-]?\d{1,16}$/;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;
const BOOLEANS = new Map(
  Object.entries({ true: true, yes: true, on: true, false: false, no: false, off: false }) as [string, boolean][],
);

/**
 * One value as its declaration wants it. What was typed, what a program or a model handed in and what a template was
 * filled with all go through here.
 */
export function checkValue(parameter: Parameter, raw: unknown): ParameterValue {
  if (typeof raw === "string") refuseUnfitText(parameter, raw);
  const value = READERS[parameter.type](parameter, raw);
  refuseOutside(parameter, value);
  return value;
}

type Reader = (parameter: Parameter, raw: unknown) => ParameterValue;

const READERS: Record<ParameterType, Reader> = {
  string: readText,
  integer(parameter, raw) {
    const value = typeof raw === "string" && INTEGER.test(raw) ? Number(raw) : raw;
    if (Number.isSafeInteger(value)) return value as number;
    throw mismatch(parameter, raw, "a whole number");
  },
  number(parameter, raw) {
    const value = typeof raw === "string" && NUMBER.test(raw) ? Number(raw) : raw;
    if (Number.isFinite(value)) return value as number;
    throw mismatch(parameter, raw, "a number");
  },
  boolean(parameter, raw) {
    const value = typeof raw === "string" ? BOOLEANS.get(raw.toLowerCase()) : raw;
    if (typeof value === "boolean") return value;
    throw mismatch(parameter, raw, "true or false");
  },
  path: readPath,
  url: readUrl,
  json(parameter, raw) {
    refuseDepth(parameter.name, raw);
    return raw as ParameterValue;
  },
};

function readText(parameter: Parameter, raw: unknown): string {
  if (typeof raw === "string") return raw;
  throw mismatch(parameter, raw, "a text");
}

/** A path is one of the workspace or the work directory, and nothing that a tool could take for an address. */
function readPath(parameter: Parameter, raw: unknown): string {
  const path = readText(parameter, raw);
  const name = parameter.name;
  if (path === "") throw refuseInput(`${name} is empty, and should be a path.`, "Give a path like data/report.csv.");
  if (path.startsWith("/") || path.startsWith("~")) {
    const hint = "Give a path relative to the workspace; a name that begins with ~ is written ./~name.";
    throw refuseInput(`${name} must be a relative path, and is ${showText(path)}.`, hint, { parameter: name });
  }
  if (path.split("/").includes("..")) {
    const hint = "Give a path within the workspace, without `..`.";
    throw refuseInput(`${name} must not lead upwards: ${showText(path)}.`, hint, { parameter: name });
  }
  if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(path)) {
    const hint = `A file of that name is written ./${showText(path)}.`;
    throw refuseInput(`${name} must be a path, and ${showText(path)} looks like an address.`, hint, {
      parameter: name,
    });
  }
  return path;
}

/**
 * Passed on as the URL parser writes it, so that the tool reads the same host that was checked. Control characters and
 * backslashes, on which parsers disagree, are refused.
 */
function readUrl(parameter: Parameter, raw: unknown): string {
  const text = readText(parameter, raw);
  const data = { parameter: parameter.name };
  const url = /^https?:\/\/[^\s\\\p{Cc}]+$/iu.test(text) ? URL.parse(text) : null;
  if (!url || url.hostname === "") {
    const hint = "Give an address like https://example.org/path; spaces are written %20.";
    throw refuseInput(`${parameter.name} must be an http(s) address, and is ${showText(text)}.`, hint, data);
  }
  if (url.username !== "" || url.password !== "" || /^https?:\/\/[^/?#]*@/i.test(text)) {
    const hint = "Take away what stands before the @; secrets are named in the extension, and kept by drydock secret.";
    throw refuseInput(`${parameter.name} must not hold a user or a password.`, hint, data);
  }
  return url.href;
}

function refuseUnfitText({ name, type }: Parameter, text: string): void {
  const data = { parameter: name };
  if (text.includes("\0"))
    throw refuseInput(`${name} holds a NUL character.`, "Remove it: no program accepts one.", data);
  if (!text.isWellFormed()) throw refuseInput(`${name} is not valid Unicode text.`, "Give it as UTF-8.", data);
  if (text.length > MAX_TEXT_CHARS) {
    throw refuseInput(`${name} has ${text.length} characters, and may have ${MAX_TEXT_CHARS}.`, "Use a file.", data);
  }
  if (type !== "string" && type !== "json" && /[\p{Cc}\u2028\u2029]/u.test(text)) {
    throw refuseInput(`${name} holds a line break or another control character.`, `A ${type} has none.`, data);
  }
}

function refuseOutside({ name, type, choices, min, max }: Parameter, value: ParameterValue): void {
  const data = { parameter: name };
  if (choices && !choices.includes(String(value))) {
    const near = findNearestWord(String(value), choices);
    const hint =
      near === undefined
        ? `It can be ${choices.join(", ")}.`
        : `Did you mean ${near}? It can be ${choices.join(", ")}.`;
    throw refuseInput(`${name} can't be ${showText(String(value))}.`, hint, data);
  }
  if (type === "json" || typeof value === "boolean") return;
  const isText = typeof value === "string";
  const size = isText ? [...value].length : (value as number);
  const unit = isText ? " characters" : "";
  const range = `It can be ${min === undefined ? `at most ${max}` : max === undefined ? `at least ${min}` : `${min} to ${max}`}${unit}.`;
  if (min !== undefined && size < min)
    throw refuseInput(`${name} is too ${isText ? "short" : "small"}: ${size}${unit}.`, range, data);
  if (max !== undefined && size > max)
    throw refuseInput(`${name} is too ${isText ? "long" : "large"}: ${size}${unit}.`, range, data);
}

function mismatch({ name }: Parameter, raw: unknown, wanted: string) {
  const shown = typeof raw === "string" ? showText(raw) || "empty" : describeValue(raw);
  return refuseInput(`${name} must be ${wanted}, and is ${shown}.`, `Give ${wanted}.`, { parameter: name });
}
