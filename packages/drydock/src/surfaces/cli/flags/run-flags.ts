import type { FlagsOf, FlagTable } from "./flag.ts";

/** The options that whatever executes code has in common. */
export const RUN_FLAGS = {
  timeout: { value: "seconds", reads: "positive", help: "stop after this many seconds" },
  memory: { value: "mb", reads: "positive", help: "stop if it uses more memory than this, in megabytes" },
  net: { value: "hosts", reads: "hosts", help: "hosts that the code may reach: HOST:PORT, separated by commas" },
  upstream: {
    value: "names",
    reads: "names",
    help: "upstreams that the code may use without their keys, as http://NAME.dock; separated by commas",
  },
  policy: { value: "file", help: "use the policy in this file, as far as the owner's policy allows it" },
  unsafe: { help: "turn off the Python guard (lists of imports and calls); the sandbox stays on" },
  all: { help: "also list ignored files and caches among the changes" },
  debug: { help: "show details: prompts, code, where the policy comes from, timings, the sandbox" },
  json: { help: "print one JSON value, for programs" },
} as const satisfies FlagTable;

export type RunFlags = FlagsOf<typeof RUN_FLAGS>;
