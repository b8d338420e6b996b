import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { useMcp } from "./testing/use-mcp.ts";

const place = useMcp("auto", {});

it("repairs a goal without a model, and says how the search gets on and what else passes", {
  timeout: 120_000,
}, async () => {
  const { workspace, client } = place();
  await writeFile(join(workspace, "calc.py"), "def add(a, b):\n    return a - b\n");
  await writeFile(
    join(workspace, "test_calc.py"),
    "from calc import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n",
  );
  const seen: string[] = [];
  const answer = await client.callTool(
    { name: "run_goal", arguments: { goal: "Fix add()", model: "repair" } },
    { onprogress: ({ message }) => seen.push(String(message)), timeout: 110_000 },
  );
  expect(answer.structuredContent).toMatchObject({
    ok: true,
    verdict: "passed",
    delivery: "applied",
    repairs: [{ task: "repair", chosen: 1, stopped: "found" }],
    usage: { calls: 0 },
  });
  expect(seen.join("\n")).toMatch(/repair: searching: [\d,]+ changes? tried/);
  const [{ text } = { text: "" }] = answer.content as { text: string }[];
  expect(text).toMatch(/other changes? also pass/);
  expect(await readFile(join(workspace, "calc.py"), "utf8")).toContain("a + b");
});
