import type { ErrorCode } from "@drydock/protocol";

/** What a behaviour of a plugin has to come to. */
export interface Expected {
  name: string;
  /** Null: the run succeeds. */
  code: ErrorCode | null;
  /** What is delivered. */
  text?: string | RegExp;
  /** What a warning of the run says. */
  warning?: RegExp;
  /** Who ends it, where the runner does not. */
  until?: "cancel" | "deadline";
  /** Its process can't be used any more. */
  breaks?: boolean;
  /** Left to the soak: it takes long, or is like another one. */
  isSlow?: boolean;
}

const lost = (name: string, more: Partial<Expected> = {}): Expected => ({
  ...{ name, code: "runner.channel_lost", breaks: true, ...more },
});
const protocol = (name: string): Expected => ({ name, code: "runner.protocol" });
const ok = (name: string, text: string | RegExp, warning?: RegExp): Expected => ({ name, code: null, text, warning });

const slow = (expected: Expected): Expected => ({ ...expected, isSlow: true });

/** Every behaviour, in the order of the plugin's own table. A test demands that none is missing. */
export const EXPECTED: readonly Expected[] = [
  ok("stream", "a b"),
  ok("deltas-only", "a b"),
  ok("message-only", "a b"),
  ok("message-in-end", "a b"),
  { name: "silent", code: "runner.no_output" },
  { name: "state-only", code: "runner.no_output" },
  { name: "action", code: "runner.no_output" },
  { name: "fail", code: "runner.failed" },
  { name: "wait", code: "run.cancelled", until: "cancel" },
  ok("environment", /^\[/),
  ok("call", /"version"/),
  ok("many-calls", "1000"),
  slow(lost("long-line")),
  lost("endless-line"),
  ok("large-result", /^x{10000}/, /cut/),
  protocol("large-artifact"),
  ok("large-state", "kept?", /state/),
  ok("long-state-key", "kept?", /state/),
  lost("nonsense"),
  slow(lost("not-a-message")),
  protocol("no-type"),
  protocol("not-a-result"),
  protocol("bad-base64"),
  protocol("other-run"),
  ok("other-channel", "mine"),
  ok("other-run-call", /refused":\s*"unauthorized/),
  ok("lie", /refused":\s*"invalid_argument/),
  ok("unknown-type", "danced", /unknown type/),
  ok("bad-payload", "went on", /dropped/),
  ok("repeat-sequence", "1 2 ", /came twice/),
  ok("skip-sequence", "1 5 3 0 ", /came after/),
  ok("bad-sequence", "x", /not a whole number/),
  // What comes then may come too late for a warning of the run.
  ok("second-terminal", "once"),
  ok("after-terminal", "once"),
  lost("crash"),
  slow(lost("crash-after-delta")),
  lost("exit-between", { text: "first" }),
  { name: "hang", code: "run.cancelled", until: "cancel", breaks: true },
  slow({ name: "ignore-cancel", code: "run.cancelled", until: "cancel", breaks: true }),
  { name: "busy", code: "runner.timeout", until: "deadline", breaks: true },
  slow(lost("flood-stdout")),
  ok("flood-stderr", "flooded"),
  slow(ok("flood", /^(flood ){20000}$/)),
];

/** What follows the name. */
export const INPUT: Readonly<Record<string, string>> = { call: "get_host_version" };
