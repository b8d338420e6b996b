import { constants } from "node:os";
import type { ErrorInfo } from "@drydock/protocol";
import type { ExceptionReport } from "./ending.ts";
import { explainLimit, findLimit } from "./explain-limit.ts";
import { explainAbsentPath, explainDeniedPath, hintAtHiddenModule, hintAtMissingFile } from "./explain-path.ts";
import type { FailureContext } from "./failure-context.ts";
import { findNodePackage, findPythonPackage } from "./missing-package.ts";
import { isNodeName, isPythonName } from "./names.ts";
import {
  explainDirectConnection,
  explainNoNetwork,
  explainRefusedNetwork,
  findRefusal,
  hintAtLoopback,
  hintAtRefusal,
} from "./network-refusal.ts";

type Rule = (exception: ExceptionReport, context: FailureContext) => ErrorInfo | null;

/** In order: the first that knows the exception explains it. */
const RULES: readonly Rule[] = [
  explainSyntax,
  explainMissingModule,
  explainExhaustion,
  explainNetwork,
  explainPath,
  explainPlainly,
];

export function explainException(exception: ExceptionReport, context: FailureContext): ErrorInfo {
  for (const rule of RULES) {
    const error = rule(exception, context);
    if (error) return { ...place(exception), ...error };
  }
  throw new Error("The last rule explains every exception.");
}

function place({ type, line, column, traceback, stack }: ExceptionReport): Partial<ErrorInfo> {
  const trace = traceback ?? stack;
  return {
    exception: type,
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
    ...(trace !== undefined && { traceback: trace }),
  };
}

function isA(exception: ExceptionReport, ...types: string[]): boolean {
  return [exception.type, ...exception.bases].some((type) => types.includes(type));
}

/** The system's name for the error: Node tells it, Python tells its number. */
function systemCode({ code, errno }: ExceptionReport): string | undefined {
  if (code !== undefined) return code;
  return Object.entries(constants.errno).find(([, number]) => number === errno)?.[0];
}

function explainSyntax(exception: ExceptionReport, { source = "" }: FailureContext): ErrorInfo | null {
  const { syntax, message } = exception;
  if (!syntax) return null;
  const { line, column, text } = syntax;
  const where = [line, column].filter((part) => part !== undefined).join(":");
  const own = text?.trim();
  const shown = own && source.includes(own) ? `, at: ${own}` : "";
  return {
    code: "code.syntax",
    message: `${exception.type} on line ${where}: ${message}`,
    hint: `Correct the text of line ${line}${shown}. Nothing of it was executed.`,
    line,
    ...(column !== undefined && { column }),
    ...(syntax.file !== undefined && { file: syntax.file }),
  };
}

function explainMissingModule(exception: ExceptionReport, context: FailureContext): ErrorInfo | null {
  const isNode = exception.code === "MODULE_NOT_FOUND" || exception.code === "ERR_MODULE_NOT_FOUND";
  if (!isNode && !isA(exception, "ModuleNotFoundError")) return null;
  const { module: reportedModule = "", type, message } = exception;
  // The code chooses this name freely, and the hint contains a command: only plain names are used.
  const module = (isNode ? isNodeName(reportedModule) : isPythonName(reportedModule)) ? reportedModule : "";
  const hidden = hintAtHiddenModule(module, context);
  if (hidden) {
    const what = `The module ${module} is not there: the policy hides files of that name.`;
    return { code: "code.import_missing", message: what, hint: hidden, module };
  }
  const found = isNode ? findNodePackage(module) : findPythonPackage(module);
  const instead = context.policy.python.guard === "strict" && !isNode ? " Or use one of the allowed modules." : "";
  const own = "If it is a file of your own, put it into the workspace under the name that you import.";
  const installing = found && module ? `${found.remedy}${instead} ` : "";
  return {
    code: "code.import_missing",
    message: module ? `The module ${module} is not installed.` : `${type}: ${message}`,
    hint: `${installing}${own}`,
    ...(module && { module }),
    ...(found && module && { package: found.package }),
  };
}

function explainExhaustion(exception: ExceptionReport, context: FailureContext): ErrorInfo | null {
  const types = [exception.type, ...exception.bases];
  const limit = findLimit("exceptions", types, context) ?? findLimit("errors", [systemCode(exception)], context);
  if (limit !== undefined) return explainLimit(limit, context);
  // Python gives no number for a thread that could not be started, only this sentence.
  if (exception.type === "RuntimeError" && exception.message === "can't start new thread") {
    return explainLimit("processes", context);
  }
  return null;
}

/** Codes and types for a connection that could not be made, for any reason. */
const NETWORK_CODES = new Set(
  "ENOTFOUND EAI_AGAIN EAI_FAIL ECONNREFUSED ECONNRESET ECONNABORTED ENETUNREACH ENETDOWN EHOSTUNREACH ETIMEDOUT".split(
    " ",
  ),
);
const NETWORK_TYPES = new Set(
  `socket.gaierror socket.herror ConnectionError ConnectionRefusedError ConnectionResetError ConnectionAbortedError
  ssl.SSLError urllib.error.URLError urllib.error.HTTPError http.client.HTTPException`.split(/\s+/),
);
const NETWORK_LIBRARIES =
  /^(requests\.exceptions|urllib3\.exceptions|httpx|httpcore|aiohttp\.client_exceptions|websockets)\./;
/** What even an attempt that never left the sandbox looks like: no name resolved, no way out. */
const NO_NETWORK_CODES = new Set(["ENOTFOUND", "EAI_AGAIN", "ENETUNREACH", "ENETDOWN", "EHOSTUNREACH"]);

function explainNetwork(exception: ExceptionReport, context: FailureContext): ErrorInfo | null {
  const code = systemCode(exception);
  const types = [exception.type, ...exception.bases, ...exception.chain];
  const isNetwork =
    (code !== undefined && (NETWORK_CODES.has(code) || code.startsWith("UND_ERR_"))) ||
    types.some((type) => NETWORK_TYPES.has(type) || NETWORK_LIBRARIES.test(type));
  if (!isNetwork) return null;
  const refusal = findRefusal(context);
  if (refusal) return explainRefusedNetwork(refusal, context);
  // Python has no type of its own for an unreachable network, as it has for a refused connection: a bare OSError it is.
  const isUnreachable = types.includes("socket.gaierror") || exception.chain.includes("OSError");
  const hasNoWayOut = isUnreachable || (code !== undefined && NO_NETWORK_CODES.has(code));
  if (!hasNoWayOut) return null;
  return context.policy.network.allow.length + context.policy.network.upstreams.length === 0
    ? explainNoNetwork(context)
    : explainDirectConnection(context);
}

function explainPath(exception: ExceptionReport, context: FailureContext): ErrorInfo | null {
  const code = systemCode(exception);
  if (code === undefined || exception.path === undefined) return null;
  if (code === "ENOENT") return explainAbsentPath(exception.path, exception, context);
  const isDenial = code === "EACCES" || code === "EPERM" || code === "EROFS";
  return isDenial ? explainDeniedPath(exception.path, code, context) : null;
}

function explainPlainly(exception: ExceptionReport, context: FailureContext): ErrorInfo {
  const { message, line } = exception;
  const name = exception.type.replace(/^__main__\./, "");
  const refusal = findRefusal(context);
  const isRefused = systemCode(exception) === "ECONNREFUSED" || exception.chain.includes("ConnectionRefusedError");
  const hints = [
    hintAtException(exception, context),
    refusal && hintAtRefusal(refusal, context),
    isRefused && hintAtLoopback(context),
  ];
  return {
    code: "code.exception",
    message: `${name}${message ? `: ${message}` : ""}${line === undefined ? "" : ` (line ${line})`}`,
    hint: hints.filter(Boolean).join(" "),
    ...(refusal && { refused: refusal }),
  };
}

function hintAtException(exception: ExceptionReport, context: FailureContext): string {
  const code = systemCode(exception);
  if (code === "ENOENT" && exception.path !== undefined) return hintAtMissingFile(exception.path, context);
  if (code === "EPERM" || code === "ENOSYS") {
    return "The sandbox does not permit this system call: do it another way.";
  }
  if (isA(exception, "RecursionError")) return "Give the recursion an end, or write it as a loop.";
  if (isA(exception, "KeyboardInterrupt"))
    return "The code interrupted itself: catch KeyboardInterrupt, or do not raise it.";
  if (isA(exception, "EOFError"))
    return "There was nothing left to read. Code can read what it is given with --stdin (`stdin`), and can ask only where somebody answers: on a terminal, in the REPL or a notebook, or with `onInput`.";
  if (isA(exception, "ImportError"))
    return "The module is there, but not what is imported from it: check its name and version.";
  const at = exception.line === undefined ? "where it is used" : `at line ${exception.line}`;
  if (isA(exception, "NameError", "ReferenceError"))
    return `The name has no value ${at}: correct its spelling, or define or import it before that.`;
  if (isA(exception, "AttributeError"))
    return `Check the spelling ${at}, and which type the value has there: print(type(…)) shows it.`;
  return exception.line === undefined
    ? "The traceback shows where it came from: handle this case in the code."
    : `Handle this case at line ${exception.line}; the traceback shows how it got there.`;
}
