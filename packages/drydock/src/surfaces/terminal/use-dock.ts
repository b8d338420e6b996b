import type { RunEvent } from "@drydock/protocol";
import { createDock, type Dock, type DockOptions, type EarlyStart } from "../../app/index.ts";

/** For a command that only looks at what is recorded: it works on a full disk and a read-only one, too. */
export function useRecords<T>(use: (dock: Dock) => Promise<T>): Promise<T> {
  return useDock(use, { warm: 0, readsOnly: true });
}

/** Opens a dock for one command and closes it afterwards. By default nothing waits in it: one run makes what it needs. */
export async function useDock<T>(
  use: (dock: Dock) => Promise<T>,
  options: Pick<DockOptions, "warm"> & {
    early?: EarlyStart | null;
    onEvents?: (events: readonly RunEvent[]) => void;
    readsOnly?: boolean;
  } = { warm: 0 },
): Promise<T> {
  const dock = await createDock(options);
  try {
    return await use(dock);
  } finally {
    await dock.close();
  }
}
