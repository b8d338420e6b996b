import { readFileSync } from "node:fs";
import { createDock, type ExecOptions } from "drydock";

/** Runs where the machine gives no namespaces: requests from a file, one after the other, their results to standard output. */
const [home = "", requests = ""] = process.argv.slice(2);
const dock = await createDock({ home, warm: 1 });
const results: Record<string, unknown> = {};
for (const [name, request] of Object.entries(
  JSON.parse(readFileSync(requests, "utf8")) as Record<string, ExecOptions>,
)) {
  results[name] = await dock.exec(request);
}
results.session = await dock.sessions.open({ language: "python" }).then(
  () => "opened",
  (error) => error.code,
);
const { ok, level, findings } = await dock.doctor();
results.doctor = { ok, level, sandbox: findings.find((finding) => finding.name === "sandbox") };
await dock.close();
process.stdout.write(JSON.stringify(results));
