import { expect, it } from "vitest";
import { createRedactor } from "../index.ts";
import { openTestLedger } from "../testing/open-test-ledger.ts";

const stolen = { kind: "refused", source: "a/b", text: "a/b called state_get", runId: "run_1", count: 1 } as const;

it("counts what happens again, and keeps when it began", async () => {
  await using t = await openTestLedger();
  const { warnings } = await t.ledger.openHost();
  await warnings.add([stolen]);
  await warnings.add([{ ...stolen, runId: "run_2", count: 4 }]);
  expect(await warnings.list({ limit: 10 })).toEqual([
    { ...stolen, runId: "run_2", count: 5, firstAt: expect.any(String), lastAt: expect.any(String) },
  ]);
});

it("keeps a bounded number, and the newest of them", async () => {
  await using t = await openTestLedger();
  const { warnings } = await t.ledger.openHost();
  const made = Array.from({ length: 1500 }, (_, index) => ({ ...stolen, text: `text ${index}` }));
  await warnings.add(made);
  await warnings.add([{ ...stolen, text: "the last one" }]);
  const kept = await warnings.list({ limit: 5000 });
  expect(kept.length).toBeLessThanOrEqual(1000);
  expect(kept.map(({ text }) => text)).toContain("the last one");
});

it("holds no secret, and no text of any length", async () => {
  const redactor = createRedactor({ environment: { API_KEY: "very-secret-value" }, allowedNames: () => false });
  await using t = await openTestLedger({ redactor });
  const { warnings } = await t.ledger.openHost();
  await warnings.add([{ ...stolen, text: "very-secret-value", runId: "very-secret-value" }]);
  await warnings.add([{ ...stolen, text: "x".repeat(100_000), runId: "y".repeat(100_000) }]);
  const text = JSON.stringify(await warnings.list({ limit: 10 }));
  expect(text).not.toContain("very-secret");
  expect(text.length).toBeLessThan(3000);
});

it("one source does not push out what others did", async () => {
  await using t = await openTestLedger();
  const { warnings } = await t.ledger.openHost();
  await warnings.add([stolen]);
  for (let batch = 0; batch < 6; batch++)
    await warnings.add(
      Array.from({ length: 200 }, (_, i) => ({ ...stolen, source: "loud/one", text: `${batch} ${i}` })),
    );
  const kept = await warnings.list({ limit: 5000 });
  expect(kept.filter(({ source }) => source === "loud/one")).toHaveLength(100);
  expect(kept).toContainEqual(expect.objectContaining(stolen));
});
