import type { RunEvent } from "@drydock/protocol";

/** Hears of all that this process records, but for the beginnings of runs. */
export type OnEvents = (events: readonly RunEvent[]) => void;
