import { DrydockError } from "@drydock/protocol";
import type { CapabilityCall } from "../../ports.ts";

/** Where the program that drives the browser is seen. */
export const DRIVER_TARGET = "/opt/browser";
export const MAX_TEXT_BYTES = 200_000;
export const MAX_LINKS = 500;

/** The request to the browser's driver. */
export interface PageRequest {
  url: string;
  width: number;
  height: number;
  fullPage: boolean;
  wait: "load" | "networkidle";
  waitMs: number;
  timeoutMs: number;
  maxTextBytes: number;
  maxLinks: number;
  maxPictureBytes: number;
  maxPictureHeight: number;
  proxy: string;
}

/** The bridge to the proxy; if the policy allows no host, nothing listens there. */
const PROXY = "http://127.0.0.1:3128";
/** Below what a run may print by default. */
const MAX_PICTURE_BYTES = 6 * 1024 * 1024;
const MAX_PICTURE_HEIGHT = 16_384;
const BOUNDS = {
  width: { min: 64, max: 4096, usual: 1280 },
  height: { min: 64, max: 4096, usual: 800 },
  "wait-ms": { min: 0, max: 60_000, usual: 15_000 },
} as const;
/** What starting the browser and looking at the page take on a busy machine, beside the waiting. */
const WORKING_MS = 15_000;

/**
 * From an action's values: `url`, and of `width`, `height`, `full-page`, `wait` (`load` or `networkidle`) and `wait-ms`
 * those that it declares.
 */
export function readPageRequest({ values, action }: Pick<CapabilityCall, "values" | "action">): PageRequest {
  const waitMs = readNumber(values, "wait-ms");
  return {
    url: readUrl(values.url),
    width: readNumber(values, "width"),
    height: readNumber(values, "height"),
    fullPage: values["full-page"] === true,
    wait: readWait(values.wait),
    waitMs,
    timeoutMs: Math.min(waitMs + WORKING_MS, action.timeoutSeconds * 1000),
    maxTextBytes: MAX_TEXT_BYTES,
    maxLinks: MAX_LINKS,
    maxPictureBytes: MAX_PICTURE_BYTES,
    maxPictureHeight: MAX_PICTURE_HEIGHT,
    proxy: PROXY,
  };
}

function readUrl(value: unknown): string {
  const url = typeof value === "string" ? URL.parse(value) : null;
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw invalid(
      `${JSON.stringify(value)} can't be opened: only http:// and https:// addresses can.`,
      "Give the whole address, such as https://example.org/.",
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw invalid("The address holds a user name or a password.", "Leave it out: addresses are recorded.");
  }
  return url.href;
}

function readWait(value: unknown): PageRequest["wait"] {
  if (value === undefined || value === "load") return "load";
  if (value === "networkidle") return value;
  throw invalid(`wait is ${JSON.stringify(value)}.`, "It can be load or networkidle.");
}

function readNumber(values: CapabilityCall["values"], name: keyof typeof BOUNDS): number {
  const { min, max, usual } = BOUNDS[name];
  const value = values[name] ?? usual;
  if (typeof value === "number" && value >= min && value <= max) return Math.floor(value);
  throw invalid(`${name} is ${JSON.stringify(value)}.`, `It is a number from ${min} to ${max}.`);
}

function invalid(message: string, hint: string): DrydockError {
  return new DrydockError("input.invalid", message, hint);
}
