import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Dock, REPAIR } from "drydock";
import { copyWorkspace } from "../goals/copy-workspace.ts";

const SALES = `import csv, json
import matplotlib.pyplot as plt

rows = list(csv.DictReader(open("sales.csv")))
totals = {}
for row in rows:
    totals[row["region"]] = totals.get(row["region"], 0) + int(row["units"])
print("\\x1b[1mUnits by region\\x1b[0m")
for region, units in totals.items():
    print(f"  {region:<8}\\x1b[36m{units:>5}\\x1b[0m")
json.dump(totals, open("totals.json", "w"))
plt.bar(list(totals), list(totals.values()), color="#0b5c75")
plt.title("Units by region")
plt.show()
result = totals`;

const CURIOUS = `import os, socket
print("files of yours:", os.path.exists("/root/.ssh"), os.path.exists(os.path.expanduser("~/.ssh")))
socket.create_connection(("example.org", 443), timeout=2)`;

/** Real runs for somebody who looks at the console for the first time. No language model takes part, and nothing is scripted. */
export async function fillHome(dock: Dock, directory: string, signal: AbortSignal): Promise<void> {
  const sales = join(directory, "sales");
  mkdirSync(sales, { recursive: true });
  writeFileSync(join(sales, "sales.csv"), "region,units\nnorth,120\nsouth,75\neast,98\nwest,143\nnorth,31\nsouth,64\n");
  const python = join(directory, "python-bugfix");
  copyWorkspace(join(import.meta.dirname, "../python-bugfix"), python);
  const node = join(directory, "node-bugfix");
  copyWorkspace(join(import.meta.dirname, "../node-bugfix"), node);

  await dock.exec({ code: SALES, workspace: sales, signal });
  await dock.exec({ code: CURIOUS, signal });
  await dock.exec({ language: "node", code: "console.log(process.version, Object.keys(process.env).sort())", signal });
  await dock.exec({ code: "while True: pass", policy: { limits: { wallSeconds: 1 } }, signal });
  await dock.verify({ workspace: python, checks: [{ type: "command", cmd: "pytest -q" }] });
  // The change stays in its layer: to look at it and to apply it is for the one who looks.
  await dock.goals.run({ goal: "Fix add() so tests pass", workspace: python, model: REPAIR, apply: "never", signal });
  await dock.goals.run({
    goal: "Fix median() so that the tests pass",
    workspace: node,
    model: REPAIR,
    apply: "never",
    signal,
  });
}
