/** A connection to a plugin's process, whatever carries it. Each text is one JSON-RPC message. */
export interface Link {
  /** False where the process does not read, and too much is waiting. */
  send(text: string): boolean;
  /** Nothing more is sent. A process that behaves goes then. */
  finish(): void;
  /** Ends the connection now, and the process where the host has started it. */
  abort(): void;
  /** Resolves when nothing comes any more, with the reason. */
  readonly ended: Promise<string>;
}

export interface LinkListeners {
  /** Text of the protocol, in pieces of any size; `isWhole` where it is one message. */
  onText(text: string, isWhole: boolean): void;
  /** What the process says beside the protocol. */
  onLog(text: string): void;
}

export type OpenLink = (listeners: LinkListeners) => Link;
