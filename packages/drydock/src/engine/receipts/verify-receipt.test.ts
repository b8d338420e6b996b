import { IN_TOTO_PAYLOAD, type ReceiptReport, type Statement } from "@drydock/protocol";
import { beforeAll, describe, expect, it } from "vitest";
import { canonicalJson, signEnvelope } from "../../ledger/index.ts";
import { makeTestKey } from "../../ledger/testing/make-test-key.ts";
import { CHECK, makeSample, type Sample, signLines, TREE } from "./testing/sample-receipt.ts";
import { verifyReceipt } from "./verify-receipt.ts";

let sample: Sample;
beforeAll(async () => {
  sample = await makeSample();
});

function verify(lines: readonly string[] | Uint8Array, id?: string): ReceiptReport {
  const bytes = lines instanceof Uint8Array ? lines : Buffer.from(lines.join(""));
  return verifyReceipt(bytes, id === undefined ? null : { id }).report;
}

/** A statement as the line of a receipt holds it. */
function readLine(line = ""): Statement {
  return JSON.parse(Buffer.from(JSON.parse(line).payload, "base64").toString()) as Statement;
}

/** The line with its statement changed, by somebody who has the key. */
function resign(line: string | undefined, change: (statement: Statement) => void): string {
  const statement = readLine(line);
  change(statement);
  return `${canonicalJson(signEnvelope(sample.key, IN_TOTO_PAYLOAD, statement))}\n`;
}

describe("a receipt", () => {
  it("says what was proved, on which tree, by which key", () => {
    const report = verify(signLines(sample, { record: sample.record }));
    expect(report).toMatchObject({
      ok: true,
      whole: true,
      problem: null,
      key: { id: sample.key.info.id, pinned: false },
      subject: [{ digest: { drydockTree: TREE } }, { digest: { gitTree: "12".repeat(20) } }],
      checks: [{ label: "add adds", source: "user", verdict: "passed" }],
      properties: ["DRYDOCK_CHECKS_PASSED", "DRYDOCK_CHECK_BY_PERSON", "DRYDOCK_CHECK_FAILED_BEFORE"],
      record: { events: 3, contents: 1, base: true },
    });
    expect(verify(signLines(sample), sample.key.info.id)).toMatchObject({ ok: true, key: { pinned: true } });
  });

  it("is whole and not ok where the checks failed, and claims no property", () => {
    const lines = signLines(sample, { facts: { verdict: "failed" }, checks: [{ ...CHECK, verdict: "failed" }] });
    expect(lines).toHaveLength(1);
    expect(readLine(lines[0]).predicate).toMatchObject({
      result: "FAILED",
      passedTests: [],
      failedTests: ["add adds"],
    });
    expect(verify(lines)).toMatchObject({ ok: false, whole: true, problem: null, properties: [] });
    const unproven = signLines(sample, { facts: { verdict: "unproven" } });
    expect(readLine(unproven[0]).predicate.result).toBe("FAILED");
    expect(verify(unproven)).toMatchObject({ ok: false, whole: true });
  });

  it("tells what each check proves: added tests may, though the check passed before", () => {
    const added = { ...CHECK, alsoPassesBefore: true, proves: true };
    const doubtful = { ...CHECK, name: "other", proves: false, doubt: "It passes without the change." };
    const lines = signLines(sample, { checks: [added, doubtful] });
    expect(readLine(lines[0]).predicate).toMatchObject({ passedTests: ["add adds"], warnedTests: ["other"] });
    expect(verify(lines).checks).toMatchObject([
      { proves: true, doubt: null },
      { proves: false, doubt: doubtful.doubt },
    ]);
  });

  it("of before a check's proof was told is read as it was", () => {
    const before = { ...CHECK, alsoPassesBefore: true };
    const line = resign(signLines(sample, { checks: [before], facts: { verdict: "failed" } })[0], ({ predicate }) => {
      const { checks } = predicate.drydock as { checks: Record<string, unknown>[] };
      for (const check of checks) {
        delete check.proves;
        delete check.doubt;
      }
    });
    expect(verify([line])).toMatchObject({ whole: true, checks: [{ proves: null, doubt: null }] });
    expect(readLine(line).predicate).toMatchObject({ passedTests: [], warnedTests: ["add adds"] });
  });

  it("names lost tests and a control that passed in no property", () => {
    const counts = {
      newlyPassing: 1,
      stillPassing: 0,
      newlyFailing: 0,
      stillFailing: 0,
      missing: 0,
      skipped: 0,
      added: 0,
    };
    const none = { newlyPassing: ["t::a"], newlyFailing: [], stillFailing: [], missing: [], skipped: [], added: [] };
    const tests = { runners: ["pytest" as const], complete: true, counts, ...none };
    const control = { kind: "expectations" as const, edits: 2, failed: true, survivors: [], reason: "It failed." };
    const good = verify(signLines(sample, { checks: [{ ...CHECK, tests, control }] }));
    expect(good.properties).toEqual(expect.arrayContaining(["DRYDOCK_NO_TEST_LOST", "DRYDOCK_CONTROL_FAILED"]));
    const worse = verify(
      signLines(sample, {
        checks: [
          { ...CHECK, tests: { ...tests, counts: { ...counts, skipped: 1 } }, control: { ...control, failed: false } },
        ],
      }),
    );
    expect(worse.properties).not.toContain("DRYDOCK_NO_TEST_LOST");
    expect(worse.properties).not.toContain("DRYDOCK_CONTROL_FAILED");
    expect(readLine(signLines(sample, { checks: [{ ...CHECK, tests }] })[0]).predicate.passedTests).toEqual([
      "add adds",
      "add adds: t::a",
    ]);
  });
});

describe("a byte that is changed", () => {
  it("is found wherever it stands, whatever it becomes", () => {
    const bytes = Buffer.from(signLines(sample).join(""));
    expect(verify(bytes).ok).toBe(true);
    const passed: string[] = [];
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
      if (verify(changed).whole) passed.push(`${at}: ${bytes[at]} → ${changed[at]}`);
    }
    expect(passed).toEqual([]);
  }, 120_000);

  it("is found in a record, and so is one that is added or missing", () => {
    const bytes = Buffer.from(signLines(sample, { record: sample.record }).join(""));
    for (let at = 0, step = 1; at < bytes.length; at += step, step = 7 + ((at * 31) % 23)) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (bytes[at] ?? 0) ^ 1;
      const without = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
      const added = Buffer.concat([bytes.subarray(0, at), Buffer.from(" "), bytes.subarray(at)]);
      const cut = bytes.subarray(0, at);
      for (const changed of [flipped, without, added, cut]) expect([at, verify(changed).whole]).toEqual([at, false]);
    }
  }, 120_000);
});

describe("what does not fit is named:", () => {
  it("the file", () => {
    const lines = signLines(sample);
    for (const wrong of [[""], ["\n"], ["nonsense\n"], ["{}\n"], [lines[0]?.trim() ?? ""], [...lines, "\n"]]) {
      expect(verify(wrong)).toMatchObject({ ok: false, problem: { part: "file" } });
    }
    expect(verify(Buffer.from([0xff, 0xfe, 0x0a])).problem?.part).toBe("file");
  });

  it("a payload whose signature is another's", () => {
    const [first = "", second = ""] = signLines(sample).map((line) => JSON.parse(line));
    const swapped = `${canonicalJson({ ...Object(first), signatures: Object(second).signatures })}\n`;
    expect(verify([swapped]).problem).toMatchObject({ part: "signature", line: 1 });
  });

  it("a key that is not the one that the reader knows", () => {
    const stranger = makeTestKey();
    const forged = signLines({ ...sample, key: stranger, facts: { ...sample.facts, key: stranger.info } });
    expect(verify(forged).ok).toBe(true);
    expect(verify(forged, sample.key.info.id)).toMatchObject({ ok: false, key: null, problem: { part: "key" } });
    // Under the known key's name, but not with it.
    const disguised = signLines({ ...sample, key: { ...stranger, info: sample.key.info } });
    expect(verify(disguised, sample.key.info.id).problem?.part).toBe("signature");
    const { report } = verifyReceipt(Buffer.from(disguised.join("")), {
      id: sample.key.info.id,
      key: sample.key.publicKey,
    });
    expect(report.problem?.part).toBe("signature");
  });

  it("a subject that is another tree than the one that was judged", () => {
    const [first, second = ""] = signLines(sample);
    const other = (statement: Statement) => {
      statement.subject = [{ name: "tree", digest: { drydockTree: "ef".repeat(32) } }];
    };
    expect(verify([resign(first, other), second]).problem).toMatchObject({ part: "subject", line: 1 });
    expect(verify([first ?? "", resign(second, other)]).problem).toMatchObject({ part: "subject", line: 2 });
  });

  it("statements that are missing, doubled, of another kind, or of two minds", () => {
    const [first = "", second = ""] = signLines(sample);
    const claims = (statement: Statement) => {
      statement.predicate.properties = ["DRYDOCK_CONTROL_FAILED"];
    };
    const renamed = (statement: Statement) => {
      statement.predicateType = "https://example.com/other/v1";
    };
    const contrary = (statement: Statement) => {
      statement.predicate.result = "FAILED";
    };
    for (const lines of [
      [first],
      [second],
      [first, first, second],
      [first, resign(second, claims)],
      [first, second, resign(second, renamed)],
      [resign(first, contrary), second],
    ]) {
      expect(verify(lines)).toMatchObject({ ok: false, problem: { part: "payload" } });
    }
  });

  it("a record that is missing, another's, or not what its hashes say", () => {
    const { record } = sample;
    const [first = "", second = "", third = ""] = signLines(sample, { record });
    const [plain = "", summary = ""] = signLines(sample);
    const altered = structuredClone(record);
    const [event] = altered.events;
    if (event) event.data = { ...event.data, title: "another" };
    const cut = { ...record, events: record.events.slice(0, -1) };
    const [sha256 = ""] = Object.keys(record.contents);
    const swapped = { ...record, contents: { [sha256]: Buffer.from("other").toString("base64") } };
    const emptied = { ...record, contents: {} };
    for (const lines of [
      [first, second],
      [plain, summary, third],
      [first, second, third, third],
      signLines(sample, { record: altered }),
      signLines(sample, { record: cut }),
      signLines(sample, { record: swapped }),
      signLines(sample, { record: emptied }),
      signLines(sample, { record, facts: { treeHash: "ef".repeat(32) } }),
      [...signLines(sample, { record, facts: { recordSha256: "0".repeat(64) } })],
    ]) {
      expect(verify(lines)).toMatchObject({ ok: false, problem: { part: "record" } });
    }
  });
});
