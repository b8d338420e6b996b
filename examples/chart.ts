// Three instructions on one state: what a step leaves, the next one finds.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDock } from "drydock";

const dock = await createDock();
const { ok, steps, artifacts, error } = await dock.executePythonWorkflow(
  ["Read data.csv", "Calculate the average of every column", "Draw a bar chart of the averages"],
  { attachments: [{ name: "data.csv", content: "units,price\n3,10\n5,20\n10,60\n" }] },
);
for (const { step, instruction, status, result } of steps) {
  console.log(`${step}. ${instruction}: ${status} ${JSON.stringify(result)}`);
}
const picture = artifacts.find(({ mime }) => mime === "image/png");
if (picture) {
  const path = join(mkdtempSync(join(tmpdir(), "drydock-chart-")), "chart.png");
  writeFileSync(path, await dock.runs.readArtifact(picture.id));
  console.log(`picture: ${path}`);
}
if (!ok) console.log(error);
await dock.close();
