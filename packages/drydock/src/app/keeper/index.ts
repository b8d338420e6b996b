export { connectKeeper, ensureKeeper } from "./connect-keeper.ts";
export type { KeeperClient } from "./keeper-client.ts";
export { openKeptSession } from "./kept-session.ts";
export { type KeeperAnnouncement, type KeeperOptions, runKeeper } from "./run-keeper.ts";
export { type KeeperProgram, startKeeper } from "./start-keeper.ts";
