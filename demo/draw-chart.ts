import { accessSync, constants, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { Dock } from "drydock";
import type { Stage } from "./stage.ts";

const here = import.meta.dirname;
const PNG_START = "89504e470d0a1a0a";

/** A CSV file of the user, grouped with pandas and drawn with matplotlib; the picture comes back. */
export async function drawChart(dock: Dock, stage: Stage): Promise<void> {
  stage.act("A chart from a CSV file");
  const run = await dock.exec({
    language: "python",
    code: readFileSync(join(here, "sales", "chart.py"), "utf8"),
    filename: "chart.py",
    workspace: join(here, "sales"),
  });
  if (run.error) stage.quote(`${run.error.code}: ${run.error.message}\n${run.error.hint}`);
  stage.say(`revenue by region: ${JSON.stringify(run.result)}`);
  const chart = run.artifacts.find((artifact) => artifact.mime === "image/png");
  const picture = chart ? await dock.runs.readArtifact(chart.id) : new Uint8Array();
  const path = join(makePlace(), "revenue-by-region.png");
  writeFileSync(path, picture);
  stage.check(
    `a picture of ${Math.round(picture.length / 1024)} kB: ${relative(process.cwd(), path)}`,
    Buffer.from(picture.subarray(0, 8)).toString("hex") === PNG_START,
  );
}

/** Pictures stay after the demo: in `tmp/` of this tree, or in the temporary directory where the tree is not ours. */
function makePlace(): string {
  const place = join(here, "..", "tmp", "demo");
  try {
    mkdirSync(place, { recursive: true });
    accessSync(place, constants.W_OK);
    return place;
  } catch {
    return mkdtempSync(join(tmpdir(), "drydock-demo-pictures-"));
  }
}
