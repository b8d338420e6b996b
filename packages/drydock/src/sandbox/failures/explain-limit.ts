import type { ErrorInfo, LimitKey } from "@drydock/protocol";
import type { LimitName } from "./ending.ts";
import type { FailureContext } from "./failure-context.ts";

interface LimitWords {
  key: LimitKey;
  /** The option of `drydock exec` that asks for more. */
  flag?: string;
  message(value: string): string;
  advice: string;
  unit: string;
}

const LIMITS: Record<LimitName, LimitWords> = {
  timeout: {
    key: "wallSeconds",
    flag: "--timeout",
    unit: " s",
    message: (value) => `The run was stopped: it took longer than ${value}.`,
    advice: "Look for a loop that never ends or something that waits for input, or do less in one run.",
  },
  cpu: {
    key: "cpuSeconds",
    unit: " s",
    message: (value) => `The run was stopped: it used more than ${value} of processor time.`,
    advice: "Look for a loop that never ends, or compute less in one run.",
  },
  memory: {
    key: "memoryMb",
    flag: "--memory",
    unit: " MB",
    message: (value) => `The run needed more memory than its ${value}.`,
    advice: "Work in pieces (chunks of a file, generators instead of lists, smaller types).",
  },
  processes: {
    key: "processes",
    unit: "",
    message: (value) => `The run started more than ${value} processes and threads.`,
    advice: "Start fewer at once (a pool with a few workers), and wait for those that are done.",
  },
  output: {
    key: "outputMb",
    unit: " MB",
    message: (value) => `The run was stopped: it wrote more than ${value} of output. The beginning is kept.`,
    advice: "Print less, or write it to a file.",
  },
  disk: {
    key: "diskMb",
    unit: " MB",
    message: (value) => `The run wrote more than ${value} of files.`,
    advice: "Write less, or delete what is not needed any more.",
  },
  files: {
    key: "openFiles",
    unit: "",
    message: (value) => `The run had more than ${value} files open at once.`,
    advice: "Close files and connections after use (`with` in Python).",
  },
};

/** `value` is the limit that was reached; without it, the one in force. */
export function explainLimit(limit: LimitName, context: FailureContext, value?: number): ErrorInfo {
  const { key, flag, unit, message, advice } = LIMITS[limit];
  const reached = value ?? context.limits[key];
  const more = Math.ceil(reached * 2);
  const option = flag ? `${flag} ${more}, or ` : "";
  return {
    code: `limit.${limit}`,
    message: message(`${reached}${unit}`),
    hint:
      `${advice} To ask for more: ${option}limits.${key}: ${more} in the request's policy. ` +
      `For every run: drydock policy set limits.${key} ${more}`,
    limit: key,
    value: reached,
  };
}
