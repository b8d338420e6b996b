import { hash } from "node:crypto";
import {
  type CheckResult,
  provesNothing,
  type ReceiptCheck,
  type ReceiptFacts,
  STATEMENT_TYPE,
  type Statement,
  TEST_RESULT,
  type TestResultPredicate,
  VERIFICATION_RESULT,
  type VerificationPredicate,
} from "@drydock/protocol";
import { canonicalJson } from "../../ledger/index.ts";

/** Changes when what a verdict means does. */
const VERIFIER = "urn:drydock:verifier:v1";

/** Names of digests: what `sandbox/layers/tree.ts` computes, and git's own name of a tree. */
export const DRYDOCK_TREE = "drydockTree";
const GIT_TREE = "gitTree";

export interface ReceiptClaim {
  facts: ReceiptFacts;
  /** Without secrets. */
  checks: readonly CheckResult[];
  gitTree: string | null;
}

/**
 * What was checked, as an in-toto Test Result; and where everything passed, which properties hold, as a Simple
 * Verification Result. There is none for anything else: who finds one need not look further to know that the checks held.
 */
export function buildStatements({ facts, checks, gitTree }: ReceiptClaim): Statement[] {
  const subject: Statement["subject"] = [
    { name: "tree", digest: { [DRYDOCK_TREE]: facts.treeHash } },
    ...(gitTree === null ? [] : [{ name: "git-tree", digest: { [GIT_TREE]: gitTree } }]),
  ];
  const described = checks.map(describeCheck);
  const state = (predicateType: string, predicate: object): Statement => ({
    _type: STATEMENT_TYPE,
    subject,
    predicateType,
    predicate: { ...predicate },
  });
  const tested = state(TEST_RESULT, describeTests(facts, described));
  if (facts.verdict !== "passed") return [tested];
  return [tested, state(VERIFICATION_RESULT, describeProperties(facts, described))];
}

function describeTests(facts: ReceiptFacts, checks: ReceiptCheck[]): TestResultPredicate {
  const names = checks.map(nameTests);
  return {
    // `unproven` is no warning that one may pass over: nothing was proved.
    result: facts.verdict === "passed" ? "PASSED" : "FAILED",
    configuration: [
      { name: "policy", digest: { sha256: facts.policySha256 } },
      ...checks.map(({ label, checkSha256 }) => ({ name: `check: ${label}`, digest: { sha256: checkSha256 } })),
    ],
    passedTests: names.flatMap(({ passed }) => passed),
    warnedTests: names.flatMap(({ warned }) => warned),
    failedTests: names.flatMap(({ failed }) => failed),
    drydock: { ...facts, checks },
  };
}

/** The check itself and, where its runner named them, the tests whose outcome the change decided: `CHECK: TEST`. */
function nameTests(check: ReceiptCheck) {
  const { label, verdict, tests } = check;
  const inside = (ids: readonly string[] = []) => ids.map((id) => `${label}: ${id}`);
  const isEmpty = provesNothing(check);
  return {
    passed: [...(verdict === "passed" && !isEmpty ? [label] : []), ...inside(tests?.newlyPassing)],
    warned: [...(isEmpty ? [label] : []), ...inside(tests?.skipped)],
    failed: [
      ...(verdict === "passed" ? [] : [label]),
      ...inside(tests?.newlyFailing),
      ...inside(tests?.stillFailing),
      ...inside(tests?.missing),
    ],
  };
}

function describeProperties(facts: ReceiptFacts, checks: readonly ReceiptCheck[]): VerificationPredicate {
  return {
    verifier: {
      id: VERIFIER,
      policy: { digest: { sha256: facts.policySha256 } },
      version: { drydock: facts.drydockVersion },
    },
    timeCreated: facts.run.endedAt,
    properties: findProperties(facts, checks),
    drydock: facts,
  };
}

/** Each is named only where it holds, so that to ask for one is enough. docs/guides/receipts.md says what they mean. */
export function findProperties(facts: ReceiptFacts, checks: readonly ReceiptCheck[]): string[] {
  if (facts.verdict !== "passed") return [];
  const tests = checks.flatMap((check) => check.tests ?? []);
  const controls = checks.flatMap((check) => (check.control && check.control.failed !== null ? [check.control] : []));
  const properties: [name: string, holds: boolean][] = [
    ["DRYDOCK_CHECKS_PASSED", checks.length > 0 && checks.every(({ verdict }) => verdict === "passed")],
    ["DRYDOCK_CHECK_BY_PERSON", checks.some(({ source, implied }) => source !== "plan" && !implied)],
    ["DRYDOCK_CHECK_FAILED_BEFORE", checks.some(({ alsoPassesBefore }) => alsoPassesBefore === false)],
    [
      "DRYDOCK_NO_TEST_LOST",
      tests.length > 0 && tests.every(({ complete, counts }) => complete && counts.missing + counts.skipped === 0),
    ],
    [
      "DRYDOCK_CONTROL_FAILED",
      controls.length > 0 && controls.every(({ failed, survivors }) => failed && survivors.length === 0),
    ],
    [
      "DRYDOCK_DECLARED_SUFFICIENT",
      checks.some(({ sufficient }) => sufficient) && !checks.some(({ proves }) => proves === true),
    ],
    ["DRYDOCK_DELIVERED", facts.delivered !== null],
  ];
  return properties.filter(([, holds]) => holds).map(([name]) => name);
}

function describeCheck(result: CheckResult): ReceiptCheck {
  const { type, verdict, code, reason, check, evidence } = result;
  return {
    label: labelCheck(result),
    type,
    verdict,
    code,
    reason,
    source: result.source ?? "plan",
    implied: result.implied ?? false,
    alsoPassesBefore: result.alsoPassesBefore ?? null,
    proves: result.proves ?? null,
    doubt: result.doubt ?? null,
    sufficient: check.sufficient === true,
    checkSha256: hashValue(check),
    evidenceSha256: hashValue(evidence),
    tests: result.tests ?? null,
    control: result.control ?? null,
    strength: result.strength ?? null,
  };
}

function labelCheck({ name, type, check }: CheckResult): string {
  if (name !== undefined) return name;
  const about = [check.cmd, check.path, check.url, check.expression].find((value) => typeof value === "string");
  return about === undefined ? type : `${type} ${about}`;
}

export function hashValue(value: unknown): string {
  return hash("sha256", canonicalJson(value), "hex");
}
