const MB = 1024 * 1024;

/** Seconds and megabytes may be fractions; a count is whole. `suffix` follows the value in messages. */
const UNITS = {
  seconds: { suffix: " s", kernelFactor: 1 },
  megabytes: { suffix: " MB", kernelFactor: MB },
  count: { suffix: "", kernelFactor: 1 },
} as const;

/** How code meets a limit that the kernel holds: the system's or Node's names for errors, Python's exceptions, signals. */
export interface LimitSigns {
  errors?: readonly string[];
  exceptions?: readonly string[];
  signals?: readonly string[];
}

interface LimitRow {
  /** What the kernel part calls it, and its error code: `limit.NAME`. */
  name: string;
  unit: keyof typeof UNITS;
  /** What the system's policy gives and the most that a request may ask for. */
  default: number;
  max: number;
  /** One sentence for the policy's schema; the default is added to it. */
  meaning: string;
  /** The sentence for extensions, which may ask for more of it. Absent: they may not. */
  permission?: string;
  /** Of a limit that is younger than the ledger: what the policy of a run that was recorded before counts as. */
  earlier?: number;
  /** How the kernel part's limit is reported. Absent: the host itself enforces the limit, with its own message. */
  reached?: {
    /** `{value}` is the limit with its unit. */
    message: string;
    advice: string;
    /** The option of `drydock exec` that asks for more, without its dashes. */
    flag?: string;
    signs?: LimitSigns;
  };
}

/**
 * The limits of a run, by their key in the policy. The policy's schema, its defaults, the request to the kernel part, error
 * codes and explanations are made from this table; how the kernel part holds each is in `kernel/contain/limits.py`.
 */
export const LIMITS = {
  wallSeconds: {
    name: "timeout",
    unit: "seconds",
    default: 300,
    max: 3600,
    meaning: "Seconds by the clock.",
    reached: {
      message: "The run was stopped: it took longer than {value}.",
      advice: "Look for a loop that never ends or something that waits for input, or do less in one run.",
      flag: "timeout",
    },
  },
  cpuSeconds: {
    name: "cpu",
    unit: "seconds",
    default: 300,
    max: 3600,
    meaning: "Seconds of CPU time, of all processes together.",
    permission: "Seconds of CPU time.",
    reached: {
      message: "The run was stopped: it used more than {value} of processor time.",
      advice: "Look for a loop that never ends, or compute less in one run.",
      signs: { signals: ["SIGXCPU"] },
    },
  },
  memoryMb: {
    name: "memory",
    unit: "megabytes",
    default: 512,
    max: 4096,
    meaning: "Memory of all processes together, in megabytes.",
    permission: "Memory in megabytes.",
    reached: {
      message: "The run needed more memory than its {value}.",
      advice: "Work in pieces (chunks of a file, generators instead of lists, smaller types).",
      flag: "memory",
      signs: { errors: ["ENOMEM", "ERR_WORKER_OUT_OF_MEMORY"], exceptions: ["MemoryError"] },
    },
  },
  processes: {
    name: "processes",
    unit: "count",
    default: 64,
    max: 512,
    meaning: "Processes and threads at once.",
    permission: "Processes and threads at once.",
    reached: {
      message: "The run started more than {value} processes and threads.",
      advice: "Start fewer at once (a pool with a few workers), and wait for those that are done.",
      signs: { errors: ["EAGAIN"] },
    },
  },
  outputMb: {
    name: "output",
    unit: "megabytes",
    default: 8,
    max: 64,
    meaning: "Standard output and error together, in megabytes.",
    permission: "Megabytes of standard output and error.",
    reached: {
      message: "The run was stopped: it wrote more than {value} of output. The beginning is kept.",
      advice: "Print less, or write it to a file.",
    },
  },
  diskMb: {
    name: "disk",
    unit: "megabytes",
    default: 512,
    max: 4096,
    meaning: "Everything that is written to files, in megabytes.",
    permission: "Megabytes written to files.",
    reached: {
      message: "The run wrote more than {value} of files.",
      advice: "Write less, or delete what is not needed any more.",
      signs: { errors: ["ENOSPC", "EDQUOT", "EFBIG"], signals: ["SIGXFSZ"] },
    },
  },
  openFiles: {
    name: "files",
    unit: "count",
    default: 256,
    max: 4096,
    meaning: "Open files per process.",
    permission: "Open files per process.",
    reached: {
      message: "The run had more than {value} files open at once.",
      advice: "Close files and connections after use (`with` in Python).",
      signs: { errors: ["EMFILE", "ENFILE"] },
    },
  },
  concurrency: {
    name: "concurrency",
    unit: "count",
    default: 4,
    max: 32,
    meaning: "Runs at once; further ones wait.",
  },
} as const satisfies Record<string, LimitRow>;

type Limits = typeof LIMITS;
export type LimitKey = keyof Limits;
export const LIMIT_KEYS = Object.keys(LIMITS) as readonly LimitKey[];

/** The keys of limits that the kernel part holds, and those that extensions may ask for. */
export type KernelLimitKey = { [K in LimitKey]: Limits[K] extends { reached: object } ? K : never }[LimitKey];
export type PermittedLimitKey = { [K in LimitKey]: Limits[K] extends { permission: string } ? K : never }[LimitKey];

/** What the kernel part calls a limit: the name in its report, and the value in its request, where sizes are in bytes. */
export type LimitName = Limits[KernelLimitKey]["name"];
export type KernelLimits = { [K in KernelLimitKey as K extends `${infer What}Mb` ? `${What}Bytes` : K]: number };

/** A row of the table with what follows from it. */
export interface KernelLimit {
  key: KernelLimitKey;
  name: LimitName;
  /** The value's name in a request to the kernel part, and how many of its units one of the policy's is. */
  sentAs: keyof KernelLimits;
  kernelFactor: number;
  suffix: string;
  reached: NonNullable<LimitRow["reached"]>;
}

/** The rows of limits that the kernel part holds. */
export const KERNEL_LIMITS: readonly KernelLimit[] = LIMIT_KEYS.flatMap((key) => {
  const row: LimitRow = LIMITS[key];
  if (row.reached === undefined) return [];
  const sentAs = key.replace(/Mb$/, "Bytes");
  const { name, unit, reached } = row;
  return [{ key, name, sentAs, ...UNITS[unit], reached } as KernelLimit];
});

/** Makes something of each limit, by its key. */
export function mapLimits<T>(make: (key: LimitKey, row: LimitRow) => T): Record<LimitKey, T> {
  return Object.fromEntries(LIMIT_KEYS.map((key) => [key, make(key, LIMITS[key])])) as Record<LimitKey, T>;
}
