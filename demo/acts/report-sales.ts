import { accessSync, constants, copyFileSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { Dock } from "drydock";
import { performGoal } from "../goals/perform-goal.ts";
import type { Stage } from "../stage.ts";
import { checkDelivered } from "./fix-bugs.ts";

const CHART = "revenue-by-region.png";
const PNG_START = "89504e470d0a1a0a";

interface Report {
  currency: string;
  total: number;
  regions: { region: string; revenue: number; bestProduct: string }[];
}

/** Two tasks, one on top of the other: figures that a schema and a sum judge, and a picture of them. */
export async function reportSales(dock: Dock, stage: Stage): Promise<void> {
  stage.act("Figures and a chart from a CSV file", "Two tasks: the second one stands on what the first one proved.");
  const done = await performGoal(dock, stage, {
    goal: "Report revenue by region, as JSON and as a chart",
    workspace: "sales-report",
    script: "sales-report.script.yaml",
    diffLines: 0,
  });
  const report = JSON.parse(readFileSync(join(done.directory, "report.json"), "utf8")) as Report;
  stage.note("report", `${report.currency} ${showMoney(report.total)} in all`);
  stage.table([
    ["region", "revenue", "best product"],
    ...report.regions.map(({ region, revenue, bestProduct }) => [region, showMoney(revenue), bestProduct]),
  ]);
  checkDelivered(stage, done);
  const picture = readFileSync(join(done.directory, CHART));
  const path = join(makePlace(), CHART);
  copyFileSync(join(done.directory, CHART), path);
  const near = relative(process.cwd(), path);
  stage.check(
    `the chart is a picture of ${Math.round(picture.length / 1024)} kB, kept for you: ${near.startsWith("..") ? path : near}`,
    picture.subarray(0, 8).toString("hex") === PNG_START,
  );
}

function showMoney(amount: number): string {
  return amount.toLocaleString("en", { minimumFractionDigits: 2 });
}

/** The picture stays after the demo: in `tmp/` of this tree, or in the temporary directory where the tree is not ours. */
function makePlace(): string {
  const place = join(import.meta.dirname, "..", "..", "tmp", "demo");
  try {
    mkdirSync(place, { recursive: true });
    accessSync(place, constants.W_OK);
    return place;
  } catch {
    return mkdtempSync(join(tmpdir(), "drydock-demo-pictures-"));
  }
}
