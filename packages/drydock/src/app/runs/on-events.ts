import type { RunEvent } from "@drydock/protocol";

/** Called with every event that this process records, except `run.created`. */
export type OnEvents = (events: readonly RunEvent[]) => void;
