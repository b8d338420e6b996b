import type { Bench, Scenario } from "../scenario.ts";
import { spawnCommand } from "../spawn-command.ts";

/** One step of a live session, against starting an interpreter for the same line. Sessions are renewed before their limit. */
export async function describeSessions({ dock, python }: Bench): Promise<Scenario[]> {
  let session = await dock.sessions.open();
  let steps = 0;
  const renew = async () => {
    await session.close();
    session = await dock.sessions.open();
    await session.exec("x = 20");
    steps = 0;
  };
  await renew();
  const step = {
    name: "dock",
    restMs: 20,
    run: async () => {
      const { stdout, error } = await session.exec("x += 1; print(1)");
      if (stdout !== "1\n") throw new Error(`the session said ${JSON.stringify(error ?? stdout)}`);
      steps++;
    },
    after: async () => {
      if (steps >= 40) await renew();
    },
  };
  const bare = { name: "bare", run: () => spawnCommand([python, "-c", "x = 20; x += 1; print(1)"], "1\n") };
  return [{ name: "session", title: "A step of a session", sides: [step, bare] }];
}
