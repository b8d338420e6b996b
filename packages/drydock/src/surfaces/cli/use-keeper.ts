import { DrydockError } from "@drydock/protocol";
import type { KeeperClient } from "../../app/index.ts";
import { useRecords } from "../terminal/use-dock.ts";

/** Connects to the home's keeper for one command; null where no session is open. */
export async function useKeeper<T>(use: (keeper: KeeperClient | null, home: string) => Promise<T>): Promise<T> {
  const { loadKeeper, readConfig } = await import("../../app/index.ts");
  const { connectKeeper } = await loadKeeper();
  const { home } = readConfig();
  const keeper = await connectKeeper(home);
  try {
    return await use(keeper, home);
  } finally {
    keeper?.disconnect();
  }
}

/** The same for a command that names a session: by its id, or as `last`, the open session that was opened last. */
export function useSession<T>(named: string, use: (keeper: KeeperClient, sessionId: string) => Promise<T>): Promise<T> {
  return useKeeper(async (keeper, home) => {
    const sessionId = named === "last" ? (await keeper?.list())?.at(-1)?.sessionId : named;
    if (keeper && sessionId !== undefined) return use(keeper, sessionId);
    // The ledger knows a session that has ended, and why.
    if (sessionId !== undefined) await useRecords((dock) => dock.sessions.find(sessionId));
    const message = `There is no session ${named}: no session is open in ${home}.`;
    throw new DrydockError("session.not_found", message, "Open one: drydock session open", { sessionId: named });
  });
}

/** The same for the command that may be the first, and then starts the keeper: this very program, once more. */
export async function useStartedKeeper<T>(use: (keeper: KeeperClient) => Promise<T>): Promise<T> {
  const { loadKeeper, readConfig } = await import("../../app/index.ts");
  const { ensureKeeper, startKeeper } = await loadKeeper();
  const { home } = readConfig();
  const program = { entry: process.argv[1] ?? "", nodeArguments: process.execArgv, arguments: ["__keeper", home] };
  const keeper = await ensureKeeper(home, () => startKeeper(program));
  try {
    return await use(keeper);
  } finally {
    keeper.disconnect();
  }
}
