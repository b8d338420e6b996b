import { expect, test } from "vitest";
import { createRedactor } from "../redact/create-redactor.ts";
import { openAt, openTestLedger } from "../testing/open-test-ledger.ts";
import { isOnPostgres } from "../testing/postgres/test-databases.ts";

const W = "/home/ada/project";
const proposal = (text: string) => ({ workspace: W, text, sources: ["rules"], by: "ada", reason: "first look" });
const decision = (decided: "approved" | "rejected", number?: number) => ({
  ...{ workspace: W, decision: decided, number, by: "grace", reason: "read it" },
});

test("a proposal reaches nobody until it is approved, and then it alone does", async () => {
  await using t = await openTestLedger();
  const { profiles } = t.ledger;
  expect(await profiles.read(W)).toEqual({ workspace: W, approved: null, proposed: null, earlier: [] });
  await profiles.propose(proposal("one"));
  expect(await profiles.read(W)).toMatchObject({ approved: null, proposed: { number: 1, text: "one" } });
  await profiles.decide(decision("approved"));
  expect(await profiles.read(W)).toMatchObject({
    proposed: null,
    approved: {
      ...{ number: 1, status: "approved" },
      history: [
        { status: "proposed", by: "ada", reason: "first look", at: expect.stringMatching(/^\d{4}-/) },
        { status: "approved", by: "grace", reason: "read it" },
      ],
    },
  });
  expect(await profiles.read("/home/ada/other")).toMatchObject({ approved: null });
});

test("another approval supersedes the first, and earlier versions are kept", async () => {
  await using t = await openTestLedger();
  const { profiles } = t.ledger;
  for (const text of ["one", "two", "three"]) await profiles.propose(proposal(text));
  expect(await profiles.read(W)).toMatchObject({ proposed: { number: 3 }, earlier: [{ number: 2 }, { number: 1 }] });
  await profiles.decide(decision("approved"));
  await profiles.propose(proposal("four"));
  await profiles.decide(decision("rejected"));
  expect(await profiles.read(W)).toMatchObject({ approved: { number: 3 }, proposed: null });
  await profiles.decide(decision("approved", 1));
  expect(await profiles.read(W)).toMatchObject({
    approved: { number: 1, text: "one" },
    earlier: [{ number: 4, status: "rejected" }, { number: 3, status: "superseded" }, { number: 2 }],
  });
  expect(t.query("select count(*) as n from profiles where status = 'approved'")).toEqual([{ n: 1 }]);
});

test("rejecting where nothing waits withdraws the one in force, and no older one comes back", async () => {
  await using t = await openTestLedger();
  const { profiles } = t.ledger;
  for (const text of ["one", "two"]) {
    await profiles.propose(proposal(text));
    await profiles.decide(decision("approved"));
  }
  expect(await profiles.decide(decision("rejected"))).toMatchObject({ number: 2, status: "rejected" });
  expect(await profiles.read(W)).toMatchObject({ approved: null, proposed: null });
  await expect(profiles.decide(decision("rejected"))).rejects.toMatchObject({ code: "input.invalid" });
  await expect(profiles.decide(decision("approved", 9))).rejects.toMatchObject({ code: "input.invalid" });
});

test("the same words proposed twice are one proposal", async () => {
  await using t = await openTestLedger();
  await t.ledger.profiles.propose(proposal("one"));
  expect(await t.ledger.profiles.propose(proposal("one"))).toMatchObject({ number: 1 });
});

test("a status that nobody knows is no approval", async () => {
  await using t = await openTestLedger();
  await t.ledger.profiles.propose(proposal("one"));
  t.tamper("update profiles set status = 'approved!'");
  expect(await t.ledger.profiles.read(W)).toMatchObject({ approved: null, earlier: [{ status: "superseded" }] });
});

test("secrets are taken out of what is stored", async () => {
  const redactor = createRedactor({ environment: { TOKEN: "hunter2hunter2" }, allowedNames: () => false });
  await using t = await openTestLedger({ redactor });
  const { text } = await t.ledger.profiles.propose(proposal("use hunter2hunter2"));
  expect(text).toBe("use [redacted:TOKEN]");
});

test("what failed in runs of the workspace is found, and of that workspace only", async () => {
  await using t = await openTestLedger();
  const add = async (workspace: string, reason: string, verdict: string) => {
    const { id } = await t.ledger.createRun({ kind: "goal", title: "g", workspace, data: {} });
    const check = { type: "command", code: "exit_code", reason, verdict, evidence: {}, durationMs: 1, check: {} };
    await t.ledger.append(id, [
      { type: "check.finished", data: check },
      { type: "check.finished", data: { odd: true } },
    ]);
  };
  await add(W, "older", "failed");
  await add(W, "newer", "refused");
  await add(W, "fine", "passed");
  await add("/elsewhere", "other", "failed");
  const failed = await t.ledger.profiles.failedChecks(W);
  expect(failed.map(({ reason }) => reason)).toEqual(["newer", "older"]);
});

test.skipIf(isOnPostgres)("a ledger of a version before is brought up to date, with all that it holds", async () => {
  await using t = await openTestLedger();
  const { id } = await t.ledger.createRun({ kind: "exec", title: "kept", data: {} });
  const later = ["profiles", "capabilities", "approvals", "responses", "sessions"];
  const host = ["agents", "bindings", "host_events", "transcript", "host_values", "host_warnings"];
  const knowledge = ["bases", "roots", "documents", "chunks", "vectors"].map((name) => `knowledge_${name}`);
  for (const table of [...later, ...host, ...knowledge, "run_facts", "sources"]) t.tamper(`drop table ${table}`);
  for (const index of ["runs_by_kind", "runs_by_verdict", "runs_by_workspace"]) t.tamper(`drop index ${index}`);
  t.tamper("alter table runs drop column fence");
  t.tamper("delete from kysely_migration where name >= '0003'");
  const again = await openAt(t.home);
  expect(await again.getRun(id)).toMatchObject({ title: "kept" });
  expect(await again.profiles.propose(proposal("one"))).toMatchObject({ number: 1 });
  await again.close();
});
