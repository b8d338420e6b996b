/** A command was stopped for a message that could not wait. */
export class Preempted extends Error {
  readonly eventId: string;

  constructor(eventId: string) {
    super("A message that could not wait stopped it.");
    this.name = "Preempted";
    this.eventId = eventId;
  }
}

/** What a run has others do at this moment, such as calls of tools. */
export interface OpenCommands {
  /** The signal of `work` is aborted with `over`, and with a `Preempted` as its reason by a message that can't wait. */
  run<T>(name: string, over: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  names(): string[];
  /** Stops all of it. */
  preempt(eventId: string): void;
}

export function createOpenCommands(): OpenCommands {
  const open = new Set<{ name: string; stop: AbortController }>();
  return {
    async run(name, over, work) {
      const command = { name, stop: new AbortController() };
      open.add(command);
      try {
        return await work(AbortSignal.any([over, command.stop.signal]));
      } finally {
        open.delete(command);
      }
    },
    names: () => [...open].map(({ name }) => name),
    preempt(eventId) {
      for (const { stop } of open) stop.abort(new Preempted(eventId));
    },
  };
}
