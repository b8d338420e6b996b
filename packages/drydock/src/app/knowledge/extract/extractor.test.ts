import { DrydockError } from "@drydock/protocol";
import { expect, it } from "vitest";
import { openTestLedger } from "../../../ledger/testing/open-test-ledger.ts";
import { resolvePolicy } from "../../../policy/index.ts";
import { refusedOutcome, type Sandbox } from "../../../sandbox/index.ts";
import { createExtractor } from "./extractor.ts";

type Run = Sandbox["run"];

/** A sandbox whose program answers each request as it is told, or not at all. */
const answering =
  (answer: (id: number) => string | null): Run =>
  async ({ stdin, onOutput, signal }) => {
    const stopped = new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
    const work = async () => {
      for await (const piece of stdin as AsyncIterable<string>) {
        const { id } = piece.startsWith("{") ? JSON.parse(piece) : { id: null };
        const line = id === null ? null : answer(id);
        if (line !== null) onOutput?.("stdout", Buffer.from(`${line}\n`));
      }
    };
    await Promise.race([work(), stopped]);
    const cancelled = new DrydockError("run.cancelled", "The run was cancelled.", "Start it again.");
    return signal?.aborted ? refusedOutcome(cancelled) : { ...refusedOutcome(cancelled), error: null };
  };

async function open(run: Run, documentMs = 30_000) {
  const t = await openTestLedger();
  const resolved = resolvePolicy({ home: null, workspace: null });
  const policies = { resolve: async () => resolved };
  const ports = { ledger: t.ledger, policies, sandbox: () => ({ run }) } as never;
  const extractor = createExtractor(ports, { title: "Read documents", documentMs });
  return { t, extractor, runs: async () => (await t.ledger.listRuns()).runs.map(({ status }) => status) };
}

it("a document that takes too long is ended, and the next one is read by a new process", async () => {
  const { t, extractor, runs } = await open(
    answering((id) => (id === 1 ? null : JSON.stringify({ id, parts: [{ text: "read" }] }))),
    50,
  );
  await using _t = t;
  await expect(extractor.extract("pdf", Buffer.from("x"))).rejects.toMatchObject({ code: "limit.timeout" });
  expect(await extractor.extract("pdf", Buffer.from("y"))).toEqual([{ text: "read", start: 0 }]);
  await extractor.close();
  expect((await runs()).sort()).toEqual(["cancelled", "succeeded"]);
});

it.each([
  ["what is no JSON", "nonsense"],
  ["an answer to another document", JSON.stringify({ id: 99, parts: [] })],
  ["fields that are none", JSON.stringify({ id: 1, parts: [{ text: "x", heading: 5 }] })],
  ["no parts", JSON.stringify({ id: 1, parts: "all" })],
])("does not believe a process that answers %s", async (_, line) => {
  const { t, extractor } = await open(answering(() => line));
  await using _t = t;
  await expect(extractor.extract("html", Buffer.from("x"))).rejects.toMatchObject({ code: "input.invalid" });
  await extractor.close();
});

it("keeps a process that says why a document can't be read", async () => {
  const { t, extractor, runs } = await open(answering((id) => JSON.stringify({ id, reason: "it is\n\tencrypted" })));
  await using _t = t;
  for (const _ of [1, 2])
    await expect(extractor.extract("pdf", Buffer.from("x"))).rejects.toThrow(
      "The file can't be read: it is encrypted.",
    );
  await extractor.close();
  expect(await runs()).toEqual(["succeeded"]);
});
