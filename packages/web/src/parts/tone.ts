import type { RunStatus, Verdict } from "@drydock/protocol";
import type { IconName } from "./icon.tsx";

export type Tone = "good" | "bad" | "warn" | "live" | "calm";

export const TONE_TEXT: Readonly<Record<Tone, string>> = {
  good: "text-good",
  bad: "text-bad",
  warn: "text-warn",
  live: "text-accent",
  calm: "text-soft",
};
export const TONE_FILL: Readonly<Record<Tone, string>> = {
  good: "bg-good-tint text-good",
  bad: "bg-bad-tint text-bad",
  warn: "bg-warn-tint text-warn",
  live: "bg-accent-tint text-accent",
  calm: "bg-sunken text-soft",
};

interface Look {
  tone: Tone;
  icon: IconName;
}

export const STATUS_LOOKS: Readonly<Record<RunStatus, Look>> = {
  queued: { tone: "calm", icon: "pause" },
  running: { tone: "live", icon: "dot" },
  paused: { tone: "warn", icon: "pause" },
  interrupted: { tone: "warn", icon: "pause" },
  succeeded: { tone: "good", icon: "check" },
  failed: { tone: "bad", icon: "cross" },
  cancelled: { tone: "calm", icon: "dash" },
  lost: { tone: "bad", icon: "question" },
};
export const VERDICT_LOOKS: Readonly<Record<Verdict, Look>> = {
  passed: { tone: "good", icon: "check" },
  failed: { tone: "bad", icon: "cross" },
  unproven: { tone: "warn", icon: "question" },
  unverified: { tone: "calm", icon: "dash" },
};
