import type { BoxInfo } from "@drydock/protocol";
import type { OPERATIONS, OperationResponse } from "@drydock/protocol/http";
import { loadLater } from "../../base/lazy/index.ts";
import type { TerminalSize } from "../../sandbox/index.ts";
import type { BoxPorts, LiveBoxes } from "./create-boxes.ts";

type ListedFiles = OperationResponse<(typeof OPERATIONS)["listBoxFiles"]>;

/** Paths are relative to the box's directory, and none leads out of it. */
export interface BoxFiles {
  list(id: string, path?: string): Promise<ListedFiles>;
  /** At most 2 MB at once. */
  read(
    id: string,
    path: string,
    range?: { offset?: number; length?: number },
  ): Promise<{ size: number; offset: number; bytes: Buffer }>;
  write(
    id: string,
    path: string,
    content: string | Uint8Array,
  ): Promise<{ path: string; bytes: number; created: boolean }>;
  /** A file, a link or an empty directory. */
  delete(id: string, path: string): Promise<{ path: string }>;
}

export interface BoxTerminalOptions extends TerminalSize {
  /** Resolves when the bytes are shown: the shell waits for that. */
  onData(bytes: Buffer): Promise<void>;
  /** Called once, when the shell or the box has ended. The status is null where there is none. */
  onEnd(status: number | null): void;
}

/** A shell with a terminal. */
export interface BoxTerminal {
  write(bytes: Uint8Array): void;
  resize(size: TerminalSize): void;
  /** Ends the shell, and all that it has started. */
  close(): void;
}

/** Sandboxes that last for agents of the host, as people see them. */
export interface Boxes {
  /** Those that are open in this process. */
  list(): Promise<BoxInfo[]>;
  /** Ends it with everything in it. Its files are kept for the next one of the same scope. */
  close(id: string): Promise<BoxInfo>;
  files: BoxFiles;
  openTerminal(id: string, options: BoxTerminalOptions): Promise<BoxTerminal>;
}

/** @internal For other use cases: the boxes themselves, loaded with their first use. */
export interface OpenBoxes extends Boxes {
  load(): Promise<LiveBoxes>;
  closeAll(): Promise<void>;
}

/** @internal */
export function openBoxes(ports: BoxPorts): OpenBoxes {
  let opened: Promise<LiveBoxes> | undefined;
  const load = () => {
    opened ??= import("./create-boxes.ts").then(({ createBoxes }) => createBoxes(ports));
    return opened;
  };
  const later = loadLater(load);
  return {
    load,
    list: later((boxes) => boxes.list),
    close: later((boxes) => boxes.close),
    files: {
      list: later((boxes) => boxes.files.list),
      read: later((boxes) => boxes.files.read),
      write: later((boxes) => boxes.files.write),
      delete: later((boxes) => boxes.files.delete),
    },
    openTerminal: later((boxes) => boxes.openTerminal),
    closeAll: async () => (await opened)?.closeAll(),
  };
}
