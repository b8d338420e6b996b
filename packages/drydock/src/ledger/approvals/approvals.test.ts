import { DrydockError } from "@drydock/protocol";
import { expect, test } from "vitest";
import { createRedactor, type Ledger, type Owner, readOwner } from "../index.ts";
import { beginCapabilityRun } from "../testing/add-capability-run.ts";
import { openAt, openTestLedger } from "../testing/open-test-ledger.ts";

const GONE: Owner = { ...readOwner(), startTime: "1" };
const question = { summary: "/git push origin", risk: "high", requestedBy: "owner" } as const;
const end = () => ({
  type: "run.failed" as const,
  data: { error: { code: "policy.approval_denied" }, durationMs: 0 },
});

const reopen = (home: string, owner = readOwner()) => openAt(home, { owner });

async function ask(ledger: Ledger, wait: boolean) {
  const runId = await beginCapabilityRun(ledger, { extension: "git", command: "git", action: "push" });
  return ledger.approvals.request({ runId, ...question, wait });
}

const typesOf = async (ledger: Ledger, runId: string) => (await ledger.events(runId)).map(({ type }) => type);

test("a request and its decision, with who, when and why, are events of the run", async () => {
  await using t = await openTestLedger();
  const approval = await ask(t.ledger, false);
  expect(approval).toMatchObject({ ...question, extension: "git", command: "git", action: "push", status: "pending" });
  expect(await t.ledger.approvals.list({ status: "pending" })).toEqual([approval]);
  const { kind } = await t.ledger.approvals.decide(approval.id, { approved: true, by: "ann", reason: "it is mine" });
  expect(kind).toBe("decided");
  expect(await t.ledger.approvals.get(approval.id)).toMatchObject({
    status: "approved",
    decidedBy: "ann",
    decidedAt: expect.any(String),
    reason: "it is mine",
  });
  const events = await t.ledger.events(approval.runId);
  expect(events.at(-1)).toMatchObject({
    type: "approval.decided",
    data: { approvalId: approval.id, approved: true, by: "ann", reason: "it is mine" },
  });
  expect((await t.ledger.verify()).ok).toBe(true);
});

test("a run that waits survives its process; whoever approves takes it over", async () => {
  await using t = await openTestLedger({ owner: GONE });
  const approval = await ask(t.ledger, true);
  const here = await reopen(t.home);
  expect(await here.recover()).toEqual([]);
  expect((await here.getRun(approval.runId))?.status).toBe("paused");
  expect(await here.approvals.list({ status: "pending" })).toEqual([approval]);
  const decision = await here.approvals.decide(approval.id, { approved: true, by: "ann" });
  expect(decision.kind).toBe("decided");
  expect((await here.getRun(approval.runId))?.status).toBe("running");
  // The process that asked was taken for dead, and is not: it must not go on with what another does now.
  await expect(t.ledger.finish(approval.runId, { type: "run.failed", data: {} })).rejects.toThrow(/another process/);
  await here.finish(approval.runId, { type: "run.succeeded", data: { durationMs: 3 } });
  expect(await typesOf(here, approval.runId)).toEqual([
    ...["run.created", "approval.requested", "run.paused", "approval.decided", "run.resumed", "run.succeeded"],
  ]);
  expect((await here.verify()).ok).toBe(true);
  await here.close();
});

test("one that was approved and whose process then died is lost, and not done a second time", async () => {
  await using t = await openTestLedger();
  const approval = await ask(t.ledger, true);
  const dying = await reopen(t.home, GONE);
  await dying.approvals.decide(approval.id, { approved: true, by: "ann" });
  await dying.close();
  expect(await t.ledger.recover()).toEqual([approval.runId]);
  expect((await t.ledger.getRun(approval.runId))?.status).toBe("lost");
  expect(await t.ledger.approvals.decide(approval.id, { approved: true, by: "bob" })).toMatchObject({
    kind: "already",
    approval: { status: "approved", decidedBy: "ann" },
  });
});

test("denying a run that waits ends it in the same transaction", async () => {
  await using t = await openTestLedger();
  const approval = await ask(t.ledger, true);
  const here = await reopen(t.home);
  await here.approvals.decide(approval.id, { approved: false, by: "ann", reason: "no", end });
  expect(await here.getRun(approval.runId)).toMatchObject({ status: "failed", errorCode: "policy.approval_denied" });
  expect((await here.verify()).ok).toBe(true);
  await here.close();
});

test("of two decisions at the same time one counts, and the other is told", async () => {
  await using t = await openTestLedger();
  const others = await Promise.all([reopen(t.home), reopen(t.home)]);
  for (let round = 0; round < 10; round++) {
    const approval = await ask(t.ledger, true);
    const decisions = await Promise.all(
      others.map((ledger, i) => ledger.approvals.decide(approval.id, { approved: i === 0, by: `person ${i}`, end })),
    );
    expect(decisions.map(({ kind }) => kind).toSorted()).toEqual(["already", "decided"]);
    expect(decisions[0]?.approval).toEqual(decisions[1]?.approval);
    const events = await typesOf(t.ledger, approval.runId);
    expect(events.filter((type) => type === "approval.decided")).toHaveLength(1);
  }
  for (const ledger of others) await ledger.close();
  expect((await t.ledger.verify()).ok).toBe(true);
});

test("a question that another process is asking at this moment can't be answered from here", async () => {
  await using t = await openTestLedger();
  const approval = await ask(t.ledger, false);
  const here = await reopen(t.home, { ...readOwner(), pid: 1 });
  expect((await here.approvals.decide(approval.id, { approved: true, by: "ann" })).kind).toBe("elsewhere");
  await here.close();
  expect((await t.ledger.approvals.get(approval.id)).status).toBe("pending");
});

test("a run that ends takes its open question along", async () => {
  await using t = await openTestLedger();
  const waiting = await ask(t.ledger, true);
  await t.ledger.finish(waiting.runId, { type: "run.cancelled", data: {} });
  expect((await t.ledger.approvals.get(waiting.id)).status).toBe("cancelled");
  expect((await t.ledger.approvals.decide(waiting.id, { approved: true, by: "ann" })).kind).toBe("already");
  expect((await t.ledger.verify()).ok).toBe(true);
});

test("a question whose process died while it was asked is cancelled with its run", async () => {
  await using t = await openTestLedger({ owner: GONE });
  const approval = await ask(t.ledger, false);
  const here = await reopen(t.home);
  expect(await here.recover()).toEqual([approval.runId]);
  expect((await here.approvals.get(approval.id)).status).toBe("cancelled");
  await here.close();
});

test("a run that waits can't be set going without a decision", async () => {
  await using t = await openTestLedger();
  const { runId } = await ask(t.ledger, true);
  await expect(t.ledger.resume(runId)).rejects.toThrow(/can't be resumed/);
  await expect(t.ledger.append(runId, [{ type: "output.recorded", data: {} }])).rejects.toMatchObject({
    hint: expect.stringContaining("drydock approvals list"),
  });
});

test("summaries and reasons hold no secrets", async () => {
  const redactor = createRedactor({ environment: { API_KEY: "very-secret-value" }, allowedNames: () => false });
  await using t = await openTestLedger({ redactor });
  const runId = await beginCapabilityRun(t.ledger);
  const request = { runId, ...question, summary: "/x very-secret-value" };
  const approval = await t.ledger.approvals.request(request);
  await t.ledger.approvals.decide(approval.id, { approved: true, by: "ann", reason: "very-secret-value" });
  expect(JSON.stringify([await t.ledger.approvals.list(), await t.ledger.events(runId)])).not.toContain("very-secret");
});

test("what is not there is said to be missing", async () => {
  await using t = await openTestLedger();
  await expect(t.ledger.approvals.get("apr_none")).rejects.toBeInstanceOf(DrydockError);
  await expect(t.ledger.approvals.decide("apr_none", { approved: true, by: "x" })).rejects.toMatchObject({
    code: "approval.not_found",
  });
});

test.each([
  ["its status", "update approvals set status = 'approved', decided_by = 'eve'"],
  ["who decided", "update approvals set decided_by = 'eve'"],
  ["its reason", "update approvals set reason = 'looked fine'"],
  ["by removing it", "delete from approvals"],
])("an audit finds an approval that was changed in its table: %s", async (_name, statement) => {
  await using t = await openTestLedger();
  const approval = await ask(t.ledger, true);
  await t.ledger.approvals.decide(approval.id, { approved: false, by: "ann", reason: "no", end });
  t.tamper(statement);
  expect(await t.ledger.verify()).toMatchObject({
    ok: false,
    first: { runId: approval.runId, problem: expect.stringContaining("approvals.") },
  });
});
