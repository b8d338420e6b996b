import { shortenLine } from "../../base/text/index.ts";
import { scrub } from "../scrub.ts";
import type { CallOutcome } from "./call-provider.ts";
import { NoStreamError } from "./provider-fetch.ts";
import type { ProviderSettings } from "./provider-settings.ts";
import { WIRES } from "./wires.ts";

/** Why a request failed, in words that hold no key and no header. */
export interface ProviderFailure {
  code: "model.failed" | "model.unavailable";
  /** It may well succeed if it is made again. */
  passing: boolean;
  /** How long the provider asks to wait. */
  retryAfterMs: number | null;
  status: number | null;
  message: string;
  hint: string;
}

export interface FaultContext {
  /** `provider/name`. */
  id: string;
  provider: string;
  settings: ProviderSettings;
  /** The request has a schema for the answer. */
  withSchema: boolean;
  timeoutMs: number;
  idleMs: number;
}

type Fault = Extract<CallOutcome, { kind: "fault" }>;

const TRY_LATER = "Try again later, or name another model after it: --model FIRST,SECOND.";
/** A way on for those who have no key. */
export const WITHOUT_MODEL = "Small bugs with failing tests need no model: `drydock run --model repair`.";
/** What Node's fetch says about ports that no browser connects to, such as 9 or 6000. It has no code for it. */
const BLOCKED_PORT = "bad port";
/** Kinds of errors in the middle of a stream that asking again does not cure. */
const LASTING = /^(invalid_request|authentication|permission|not_found|billing|insufficient_quota|request_too_large)/;

export function describeFault(fault: Fault, place: FaultContext): ProviderFailure {
  const failure: ProviderFailure = {
    code: "model.failed",
    passing: true,
    retryAfterMs: null,
    status: readStatus(fault.error),
    message: "",
    hint: TRY_LATER,
  };
  switch (fault.cause) {
    case "cancelled":
      return { ...failure, passing: false, message: "cancelled" };
    case "timeout": {
      const hint = "Raise models.timeoutSeconds in config.yaml, or choose a faster model.";
      return { ...failure, message: `no complete answer within ${place.timeoutMs / 1000} s`, hint };
    }
    case "silence": {
      const hint = "Raise models.idleSeconds in config.yaml if the model thinks for longer than that.";
      return { ...failure, message: `no data was received for ${place.idleMs / 1000} s`, hint };
    }
    case "cut":
      return { ...failure, message: `the stream was cut: ${describeError(fault.error, place)}` };
    case "refused":
      return failure.status === null
        ? describeConnection(fault.error, place, failure)
        : describeStatus(fault.error, failure.status, place, failure);
    default:
      return fault.cause satisfies never;
  }
}

function describeStatus(
  error: unknown,
  status: number,
  place: FaultContext,
  failure: ProviderFailure,
): ProviderFailure {
  const text = describeError(error, place);
  const message = `HTTP ${status}: ${text}`;
  const variable = place.settings.keyVariable;
  if (status === 401 || status === 403) {
    const hint = variable
      ? `Check that the environment variable ${variable} holds a complete and valid key that is allowed to use ${place.id}. ${WITHOUT_MODEL}`
      : `The provider wants a key: set models.providers.${place.provider}.keyVariable in config.yaml to the name of the variable that holds it. ${WITHOUT_MODEL}`;
    return { ...failure, code: "model.unavailable", passing: false, message, hint };
  }
  if (status === 404) {
    const hint = `Check the model's name and its address, ${showAddress(place)} (${nameAddressSetting(place)}).`;
    return { ...failure, code: "model.unavailable", passing: false, message, hint };
  }
  if (status >= 300 && status < 400) {
    const hint = `Redirections are not followed: set the final address (${nameAddressSetting(place)}).`;
    return { ...failure, code: "model.unavailable", passing: false, message: `HTTP ${status}: redirected`, hint };
  }
  const exhausted = status === 402 || /insufficient_quota|billing/i.test(`${readKind(error)} ${text}`);
  if (exhausted) {
    const hint = `The account${variable ? ` behind ${variable}` : ""} has no credit left: check its billing, or use another model.`;
    return { ...failure, code: "model.unavailable", passing: false, message, hint };
  }
  if (status === 408 || status === 409 || status === 429 || status >= 500) {
    return { ...failure, message, retryAfterMs: readRetryAfter(error) };
  }
  const hint =
    place.withSchema && WIRES[place.settings.api].mayIgnoreSchemas
      ? `If the server takes no JSON Schema with a request, set models.providers.${place.provider}.schemas: false.`
      : "The provider rejected the request. Choose another model, or shorten the input.";
  return { ...failure, passing: false, message, hint };
}

function describeConnection(error: unknown, place: FaultContext, failure: ProviderFailure): ProviderFailure {
  const other = findCause(error, (cause) => cause instanceof NoStreamError);
  if (other) return { ...failure, code: "model.unavailable", passing: false, ...describeOther(other, place) };
  const code = readNetworkCode(error);
  if (code === "ECONNREFUSED" || code === "ENOTFOUND") {
    const what = code === "ECONNREFUSED" ? "no server is listening at" : "no host was found at";
    const hint = `Start the server, or correct its address (${nameAddressSetting(place)}).${nameProxy(place)}`;
    const message = `${what} ${showAddress(place)}`;
    return { ...failure, code: "model.unavailable", passing: false, message, hint };
  }
  if (code === "UND_ERR_ABORTED" && place.settings.proxy) {
    const hint = `See what the proxy allows, or name the host in NO_PROXY.${nameProxy(place)}`;
    const message = `the proxy does not connect to ${showAddress(place)}: ${describeError(error, place)}`;
    return { ...failure, code: "model.unavailable", passing: false, message, hint };
  }
  if (findCause(error, (inner): inner is object => readField(inner, "message") === BLOCKED_PORT)) {
    const message = `${showAddress(place)} has a port that is reserved for another protocol`;
    const hint = `Have the server listen on another port, such as 8080, and correct its address (${nameAddressSetting(place)}).`;
    return { ...failure, code: "model.unavailable", passing: false, message, hint };
  }
  const text = describeError(error, place);
  if (LASTING.test(readKind(error))) return { ...failure, passing: false, message: text };
  return { ...failure, message: code === "" ? text : `${text} (${code})` };
}

function describeOther({ came, start }: NoStreamError, place: FaultContext): Pick<ProviderFailure, "message" | "hint"> {
  const address = `${showAddress(place)} (${nameAddressSetting(place)})`;
  if (came === "page") {
    const hint = `Correct the address, ${address}: it must lead to the API, and often ends in /v1.`;
    return { message: `${showAddress(place)} returned a web page instead of an API response`, hint };
  }
  const text = shortenLine(scrub(start, place.settings.key), 200);
  const hint = `Correct the address, ${address}, or the provider's api in config.yaml: answers must come as a stream.`;
  return { message: `${showAddress(place)} returned JSON instead of a stream: ${text}`, hint };
}

/** A proxy may be the one that does not answer. */
function nameProxy({ settings: { proxy, baseUrl } }: FaultContext): string {
  const used = baseUrl.startsWith("https:") ? proxy?.https : proxy?.http;
  if (used === undefined || !URL.canParse(used)) return "";
  const { protocol, host } = new URL(used);
  return ` The environment names a proxy for it, ${protocol}//${host}, unless NO_PROXY excepts the host.`;
}

function describeError(error: unknown, { settings }: FaultContext): string {
  const text = typeof error === "string" ? error : readField(error, "message");
  return shortenLine(scrub(typeof text === "string" && text !== "" ? text : "no reason given", settings.key), 500);
}

/** Without the user and password that an address may hold. */
function showAddress({ settings }: FaultContext): string {
  const url = URL.canParse(settings.baseUrl) ? new URL(settings.baseUrl) : null;
  return url ? `${url.protocol}//${url.host}${url.pathname}` : "its address";
}

function nameAddressSetting({ provider, settings }: FaultContext): string {
  return settings.baseUrlSetting ?? `models.providers.${provider}.baseUrl in config.yaml`;
}

function readField(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function readStatus(error: unknown): number | null {
  const status = readField(error, "statusCode");
  return typeof status === "number" && status !== 200 ? status : null;
}

/** The provider's own word for the error: `overloaded_error`, `insufficient_quota`. */
function readKind(error: unknown): string {
  const data = readField(error, "data");
  const inner = readField(data, "error") ?? data ?? error;
  const words = [readField(inner, "code"), readField(inner, "type")];
  return words.filter((word) => typeof word === "string").join(" ");
}

/** The system's word for what went wrong with a connection, however deeply the SDK wrapped it. */
function readNetworkCode(error: unknown): string {
  const isSystems = (code: unknown) => typeof code === "string" && /^(E[A-Z]|UND_)/.test(code);
  return String(
    readField(
      findCause(error, (inner): inner is object => isSystems(readField(inner, "code"))),
      "code",
    ) ?? "",
  );
}

function findCause<T>(error: unknown, fits: (inner: unknown) => inner is T): T | undefined {
  for (let inner = error, depth = 0; inner !== undefined && depth < 6; depth++) {
    if (fits(inner)) return inner;
    const several = readField(inner, "errors");
    inner = readField(inner, "cause") ?? (Array.isArray(several) ? several[0] : undefined);
  }
  return undefined;
}

function readRetryAfter(error: unknown): number | null {
  const headers = readField(error, "responseHeaders");
  const milliseconds = Number(readField(headers, "retry-after-ms") ?? Number.NaN);
  if (milliseconds >= 0) return milliseconds;
  const value = readField(headers, "retry-after");
  if (typeof value !== "string") return null;
  const seconds = Number(value);
  if (seconds >= 0) return seconds * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}
