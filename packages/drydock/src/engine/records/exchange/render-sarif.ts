import { hash } from "node:crypto";
import {
  type CheckSource,
  describeControl,
  describeStrength,
  describeTests,
  type StrengthEvidence,
} from "@drydock/protocol";
import { subjectOf } from "../check-subject.ts";
import { shortenText } from "../report/shorten-text.ts";
import { showInvisible } from "../show-invisible.ts";
import { listPlaces, type SourceLocation, toLocation } from "./sarif-locations.ts";
import { ruleOf, type SarifLevel, type SarifRule, SURVIVOR_RULE, verdictRule } from "./sarif-rules.ts";
import type { ReportedCheck, VerdictReport } from "./verdict-report.ts";

export interface SarifOptions {
  /** Drydock's own. */
  version: string;
  /** Where the judged directory lies, seen from the directory that paths are relative to. Default: the same. */
  prefix?: string;
  /** The file of the checks, seen from there: the place of a result that is about no file. */
  checksFile?: string;
  /** The workspace's own file of checks, seen from there: the place of a check that the workspace requires. */
  workspaceChecksFile?: string;
}

interface SarifFinding {
  rule: SarifRule;
  level: SarifLevel;
  text: string;
  locations: object[];
  /** What makes it the same finding in another run: neither times nor hashes of trees. */
  identity: unknown[];
  properties?: Record<string, unknown>;
}

const MESSAGE = { lines: 40, characters: 4000 };
const SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

/** SARIF 2.1.0: what did not pass, what was not proved, and the faults that no check notices. */
export function renderSarif(report: VerdictReport, options: SarifOptions): string {
  const { run, verdict, reason } = report;
  const findings = [
    ...report.checks.filter(({ result }) => result.verdict !== "passed").map((check) => describeCheck(check, options)),
    ...describeVerdict(report, options),
    ...[report.strength, ...report.checks.map(({ result }) => result.strength)].flatMap((strength) =>
      describeSurvivors(strength, options),
    ),
  ];
  const rules = [...new Map(findings.map(({ rule }) => [rule.id, rule])).values()];
  const indexes = new Map(rules.map(({ id }, index) => [id, index]));
  const { version } = options;
  const log = {
    $schema: SCHEMA,
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "Drydock", version, semanticVersion: version, rules } },
        automationDetails: { id: `drydock/${run.kind}/${run.id}` },
        invocations: [
          {
            executionSuccessful: run.status === "succeeded" || (run.status === "failed" && verdict !== "unverified"),
            startTimeUtc: run.createdAt,
            ...(run.endedAt !== null && { endTimeUtc: run.endedAt }),
          },
        ],
        columnKind: "utf16CodeUnits",
        results: findings.map((finding) => toResult(finding, indexes)),
        properties: {
          runId: run.id,
          verdict,
          reason: shorten(reason),
          treeHash: run.treeHash,
          ...(report.strength && { strength: summarizeStrength(report.strength) }),
        },
      },
    ],
  };
  return `${JSON.stringify(log, (_key, value) => (typeof value === "string" ? showInvisible(value) : value), 2)}\n`;
}

function describeCheck({ task, title, result }: ReportedCheck, options: SarifOptions): SarifFinding {
  const rule = ruleOf(result);
  const { tests, control, strength, verdict, code, reason } = result;
  const places = listPlaces(result);
  const where = task === null ? title : `${task}: ${title}`;
  const text = [`${where}: ${verdict === "refused" ? "refused: " : ""}${reason}`, ...(tests ? [listTests(tests)] : [])];
  return {
    rule,
    level: "error",
    text: text.join("\n"),
    locations: toLocations(places, options, result.source),
    identity: [rule.id, task, result.type, result.name ?? "", subjectOf(result.check), code, places[0]?.path ?? ""],
    properties: {
      verdict,
      code,
      ...(tests && { tests: describeTests(tests) }),
      ...(control && { control: describeControl(control) }),
      ...(strength && { strength: describeStrength(strength) }),
    },
  };
}

const MAX_TESTS = 10;

function listTests(tests: NonNullable<ReportedCheck["result"]["tests"]>): string {
  const kinds = [
    ["Newly failing", tests.newlyFailing, tests.counts.newlyFailing],
    ["Missing", tests.missing, tests.counts.missing],
    ["Skipped", tests.skipped, tests.counts.skipped],
  ] as const;
  return kinds
    .filter(([, ids]) => ids.length > 0)
    .map(([kind, ids, count]) => {
      const shown = ids.slice(0, MAX_TESTS);
      return `${kind}: ${shown.join(", ")}${count > shown.length ? ` and ${count - shown.length} more` : ""}.`;
    })
    .join("\n");
}

function describeVerdict({ verdict, reason, isOpen, run }: VerdictReport, options: SarifOptions): SarifFinding[] {
  if (!isOpen) return [];
  const rule = verdictRule(verdict);
  const text = `${verdict}: ${reason}`;
  return [{ rule, level: "error", text, locations: toLocations([], options), identity: [rule.id, run.title] }];
}

function summarizeStrength({ survivors: _, ...figures }: StrengthEvidence) {
  return figures;
}

function describeSurvivors(
  strength: StrengthEvidence | null | undefined,
  { prefix = "" }: SarifOptions,
): SarifFinding[] {
  return (strength?.survivors ?? []).map(({ path, line, operator, diff }) => ({
    rule: SURVIVOR_RULE,
    level: "note",
    text: `No check notices this fault (${operator}):\n${diff}`,
    locations: [toLocation({ path, line }, prefix)],
    identity: [SURVIVOR_RULE.id, path, operator, diff.replace(/^(@@|---|\+\+\+).*$/gm, "")],
  }));
}

/** Some readers take no result without a place: the check's own is where it was written down. */
function toLocations(
  places: readonly SourceLocation[],
  { prefix = "", checksFile, workspaceChecksFile }: SarifOptions,
  source?: CheckSource,
): object[] {
  if (places.length > 0) return places.map((place) => toLocation(place, prefix));
  const file = source === "workspace" ? (workspaceChecksFile ?? checksFile) : checksFile;
  return file === undefined ? [] : [toLocation({ path: file }, "")];
}

function toResult({ rule, level, text, locations, identity, properties }: SarifFinding, indexes: Map<string, number>) {
  return {
    ruleId: rule.id,
    ruleIndex: indexes.get(rule.id) ?? -1,
    level,
    message: { text: shorten(text) },
    ...(locations.length > 0 && { locations }),
    partialFingerprints: { "drydockFinding/v1": hash("sha256", JSON.stringify(identity), "hex") },
    ...(properties && { properties }),
  };
}

const shorten = (text: string) => shortenText(text, MESSAGE).text;
