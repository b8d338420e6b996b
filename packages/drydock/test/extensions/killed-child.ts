import { createDock } from "drydock";

/** A host that calls extensions without end, until somebody kills it. */
const [home = ""] = process.argv.slice(2);
const marker = `8888.${process.pid}`;
const dock = await createDock({ home, warm: 2 });
process.stdout.write("open\n");

async function repeat(line: string, session: string, approval?: "wait"): Promise<never> {
  while (true) await dock.extensions.execute(line, { session, approval });
}

await Promise.all([
  // Each call leaves two files that say the same, for the next one to count further.
  repeat("/box count", "counting"),
  repeat(`/box wait ${marker}`, "waiting"),
  repeat("/box say hello | /box upper", "piping"),
  repeat("/box drop x", "asking", "wait"),
]);
