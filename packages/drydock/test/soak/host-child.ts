import { createDock } from "drydock";

/** A host that works without end, on everything at once, until somebody kills it. */
const [home = "", workspace = ""] = process.argv.slice(2);
const marker = `7777.${process.pid}`;
const dock = await createDock({ home, warm: 2 });
process.stdout.write("open\n");

async function repeat(work: () => Promise<unknown>): Promise<never> {
  while (true) await work();
}

async function useSession(): Promise<void> {
  const session = await dock.sessions.open({ workspace });
  await session.exec("x = 1\nopen('s.txt', 'w').write('s')");
  await session.exec(`import subprocess\nsubprocess.Popen(['sleep', '${marker}'])`);
  await session.exec("1 / 0");
  await session.rollback(0);
  await session.close();
}

await Promise.all([
  repeat(() =>
    dock.exec({ code: "import os, time\nopen('f', 'wb').write(os.urandom(100_000))\ntime.sleep(0.01)", workspace }),
  ),
  repeat(() => dock.exec({ language: "bash", code: `(sleep ${marker} &) ; echo x > b.txt; sleep 0.05`, workspace })),
  repeat(() => dock.exec({ language: "node", code: "console.log('x'.repeat(100000))" })),
  repeat(() => dock.exec({ code: "import numpy\nnumpy.arange(9).sum().item()" })),
  repeat(useSession),
]);
