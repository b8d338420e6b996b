import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createDock } from "../../app/index.ts";
import { spawnCli } from "./testing/run-cli.ts";
import { useHome } from "./testing/use-home.ts";

const home = useHome();

it("drydock runs cancel ends a task that another process holds, and says why where it can't", async () => {
  const dock = await createDock({ home: home(), warm: 0 });
  const script = join(home(), "script.json");
  const text = "```python\nimport time\ntime.sleep(60)\n```";
  writeFileSync(script, JSON.stringify({ answers: [{ text }] }));
  const started = Promise.withResolvers<string>();
  const task = dock.executePythonTask("Wait", {
    model: `scripted:${script}`,
    onEvent: ({ runId }) => started.resolve(runId),
  });
  const runId = await started.promise;
  const cancel = () => spawnCli(home(), ["runs", "cancel", runId, "--json"]).finished;
  expect(JSON.parse((await cancel()).stdout)).toMatchObject({ runId, asked: "cancel" });
  expect(await task).toMatchObject({ ok: false, runId, error: { code: "run.cancelled" } });
  const again = await cancel();
  expect(again.status).toBe(2);
  expect(JSON.parse(again.stdout)).toMatchObject({ error: { code: "input.invalid" } });
  await dock.close();
});
