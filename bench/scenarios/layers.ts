import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bench, Scenario, Side } from "../scenario.ts";

const DIRECTORIES = 500;
const FILES_EACH = 100;
const WRITE_FIVE = "for i in range(5):\n    open(f'd{i}/new.txt', 'w').write('x')\nprint(1)";

/** What a workspace of 50,000 files adds to a run: the same code without one, with one, and writing into it. */
export async function describeLayers({ dock, directory, say }: Bench): Promise<Scenario[]> {
  const workspace = join(directory, "large");
  say(`making a workspace of ${DIRECTORIES * FILES_EACH} files`);
  for (let i = 0; i < DIRECTORIES; i++) {
    const below = join(workspace, `d${i}`);
    mkdirSync(below, { recursive: true });
    for (let j = 0; j < FILES_EACH; j++) writeFileSync(join(below, `f${j}.txt`), `${i} ${j}\n`);
  }
  const side = (name: string, code: string, at?: string, changes = 0): Side => ({
    name,
    restMs: 40,
    run: async () => {
      const result = await dock.exec({ language: "python", code, workspace: at });
      if (result.stdout !== "1\n" || result.changes.length !== changes)
        throw new Error(`the dock said ${JSON.stringify(result.error ?? result.changes)}`);
    },
  });
  return [
    {
      name: "layer",
      title: "A layer over 50,000 files",
      sides: [
        side("without a workspace", "print(1)"),
        side("with it", "print(1)", workspace),
        side("writing 5 files", WRITE_FIVE, workspace, 5),
      ],
    },
  ];
}
