import { countWord } from "@drydock/protocol";
import type { AnalysisFinding } from "./analysis-finding.ts";
import { describeJson, type Field, writeField } from "./describe-json.ts";
import { describeLog } from "./describe-log.ts";
import { describeMarkup, describeText, type TextDescription } from "./describe-text.ts";
import { type DetectedContent, detectContent } from "./detect-content.ts";
import { findErrorFields, findErrorsInMetadata } from "./find-errors.ts";
import { findOutliers } from "./find-outliers.ts";
import type { Subject } from "./read-subject.ts";
import { surveyValue } from "./survey-value.ts";

/** What can be said of a response without a model. */
export interface PlainAnalysis {
  kind: DetectedContent["kind"];
  bytes: number;
  lines: number;
  truncated: boolean;
  shape: string[];
  fields: Field[];
  errors: AnalysisFinding[];
  outliers: AnalysisFinding[];
}

const SHOWN_FIELDS = 20;

export function analyzePlainly(subject: Subject): PlainAnalysis {
  const content = detectContent(subject);
  const { shape, fields = [], errors, outliers } = describeContent(content, subject.text);
  return {
    kind: content.kind,
    bytes: Buffer.byteLength(subject.text),
    lines: subject.text === "" ? 0 : subject.text.replace(/\n$/, "").split("\n").length,
    truncated: subject.truncated,
    shape,
    fields,
    errors: [...findErrorsInMetadata(subject.metadata), ...errors],
    outliers,
  };
}

function describeContent(content: DetectedContent, text: string): TextDescription & { fields?: Field[] } {
  switch (content.kind) {
    case "empty":
      return { shape: ["there is nothing in it"], errors: [], outliers: [] };
    case "json":
    case "json lines":
    case "csv":
      return describeData(content);
    case "html":
    case "xml":
      return describeMarkup(text, content.kind);
    case "log":
      return describeLog(text);
    case "text": {
      const { shape, errors, outliers } = describeText(text);
      const broken =
        content.problem === null ? [] : [{ kind: "json", at: "", message: `no valid JSON: ${content.problem}` }];
      return { shape, errors: [...broken, ...errors], outliers };
    }
    default:
      return content satisfies never;
  }
}

function describeData(content: Extract<DetectedContent, { value: unknown }>): TextDescription & { fields: Field[] } {
  const survey = surveyValue(content.value);
  const { shape, fields } = describeJson(survey);
  const columns = content.kind === "csv" ? [`${countWord(content.value.length, "row")} below the names`] : [];
  const ragged = content.kind === "csv" ? content.ragged : 0;
  const broken = content.kind === "json lines" ? content.broken : 0;
  return {
    shape: columns.length > 0 ? columns : shape,
    fields,
    errors: [
      ...(ragged > 0
        ? [{ kind: "table", at: "", message: `${countWord(ragged, "row")} with another number of cells` }]
        : []),
      ...(broken > 0 ? [{ kind: "json", at: "", message: `${countWord(broken, "line")} not valid JSON` }] : []),
      ...findErrorFields(content.value),
    ],
    outliers: findOutliers(survey),
  };
}

/** Short, for people. */
export function writeAnalysis(analysis: PlainAnalysis, origin: string): string {
  const { kind, bytes, lines, truncated, shape, fields, errors, outliers } = analysis;
  const size = `${countWord(bytes, "byte")}, ${countWord(lines, "line")}${truncated ? "; only the head was kept" : ""}`;
  const more = fields.length - SHOWN_FIELDS;
  return [
    `${kind === "empty" ? "Nothing" : kind.toUpperCase()} from ${origin} (${size})`,
    ...shape.map((line) => `  ${line}`),
    ...section("Fields", [...fields.slice(0, SHOWN_FIELDS).map(writeField), ...(more > 0 ? [`and ${more} more`] : [])]),
    ...section("Errors", errors.map(writeFinding), "none that can be seen"),
    ...section("Unusual", outliers.map(writeFinding), "nothing that stands out"),
    "",
  ].join("\n");
}

function section(title: string, lines: readonly string[], otherwise?: string): string[] {
  if (lines.length === 0) return otherwise === undefined ? [] : [`${title}: ${otherwise}`];
  return [`${title}:`, ...lines.map((line) => `  ${line}`)];
}

function writeFinding({ at, message }: AnalysisFinding): string {
  return at === "" ? message : `${at}: ${message}`;
}
