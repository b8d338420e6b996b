import type { Dock } from "../../app/index.ts";

/** Opens a dock for one command and closes it afterwards. Nothing waits in it: one command makes what it needs. */
export async function useDock<T>(use: (dock: Dock) => Promise<T>): Promise<T> {
  const { createDock } = await import("../../app/index.ts");
  const dock = await createDock({ warm: 0 });
  try {
    return await use(dock);
  } finally {
    await dock.close();
  }
}
