import type { Dock } from "drydock";

/** One way to do a piece of work. `run` resolves when its output has been read. */
export interface Side {
  /** `dock`, `bare`, or the name of another sandbox. */
  name: string;
  run(): Promise<void>;
  /** What is left to do after the reply (the dock builds its next member) must not disturb the next measurement. */
  restMs?: number;
  /** Outside of the time that is measured. */
  after?(): Promise<void>;
}

export interface Scenario {
  name: string;
  title: string;
  sides: Side[];
  /** Also measured with eight at once. */
  crowd?: boolean;
}

/** What scenarios are built with. */
export interface Bench {
  dock: Dock;
  /** The same real binaries on both sides. */
  python: string;
  node: string;
  directory: string;
  root: string;
  /** Wraps a command for every other sandbox that is installed. */
  sandboxes: { name: string; wrap(command: readonly string[]): string[] }[];
  say(text: string): void;
  /** Called when everything has been measured. */
  later(end: () => Promise<void>): void;
}
