/**
 * `npm run rows` runs the command of each row, and writes what came of it to docs/mission-rows.md.
 *
 *   npm run rows -- --only A3,B4     these rows only, with their output; the page stays as it is
 *   npm run rows -- --serve-model    the scripted model, for commands that you type yourself
 *
 * Exit status 1 if a row fails.
 */
import { writeFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { writePage } from "./rows/page.ts";
import { runRow } from "./rows/run-row.ts";
import { startScriptedModel } from "./rows/scripted-model.ts";
import { GROUPS, ROWS } from "./rows/table/index.ts";

const PAGE = resolve(import.meta.dirname, "../docs/mission-rows.md");
const { values } = parseArgs({ options: { only: { type: "string" }, "serve-model": { type: "boolean" } } });
const only = values.only?.split(",");
const unknown = only?.filter((id) => !ROWS.some((row) => row.id === id)) ?? [];
if (unknown.length > 0) {
  console.error(`There is no row ${unknown.join(", ")}. The rows are ${ROWS.map(({ id }) => id).join(", ")}.`);
  process.exit(2);
}

const model = await startScriptedModel();
if (values["serve-model"]) serveModel();
else {
  try {
    process.exitCode = await runRows();
  } finally {
    await model.close();
  }
}

function serveModel(): void {
  for (const [name, value] of Object.entries(model.variables)) console.log(`export ${name}=${value}`);
  console.log("# Scripted answers, until Ctrl-C.");
}

async function runRows(): Promise<number> {
  const startedAt = performance.now();
  const results = new Map<string, string>();
  let failed = 0;
  for (const row of ROWS.filter(({ id }) => only === undefined || only.includes(id))) {
    const { text, failed: isFailed, outcome } = await runRow(row, model.variables);
    if (only !== undefined || isFailed) console.log(`$ ${row.command}\n${outcome.output.trimEnd()}`);
    console.log(`${row.id.padEnd(4)}${text}`);
    results.set(row.id, text);
    failed += isFailed ? 1 : 0;
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  console.log(`\n${results.size} rows in ${seconds} s: ${failed === 0 ? "none fails" : `${failed} failed`}.`);
  if (only === undefined) {
    writeFileSync(PAGE, writePage(GROUPS, results));
    console.log(relative(process.cwd(), PAGE));
  }
  return failed === 0 ? 0 : 1;
}
