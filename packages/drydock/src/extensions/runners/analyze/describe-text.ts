import { countWord } from "@drydock/protocol";
import { type AnalysisFinding, excerpt } from "./analysis-finding.ts";
import { findErrorLines } from "./find-errors.ts";

const MAX_CHARS = 2_000_000;

export interface TextDescription {
  shape: string[];
  errors: AnalysisFinding[];
  outliers: AnalysisFinding[];
}

export function describeText(text: string): TextDescription {
  const lines = text.split("\n");
  const words = text.slice(0, MAX_CHARS).match(/\S+/g)?.length ?? 0;
  const { findings, errorLines, traces } = findErrorLines(lines);
  const longest = lines.reduce(
    (one, line, index) => (line.length > one.length ? { length: line.length, index } : one),
    {
      length: 0,
      index: 0,
    },
  );
  const median = lines.map((line) => line.length).sort((one, other) => one - other)[lines.length >> 1] ?? 0;
  const isLong = lines.length > 3 && longest.length > 500 && longest.length > median * 10;
  const more = errorLines - findings.length;
  return {
    shape: [`${countWord(lines.length, "line")}, ${countWord(words, "word")}`],
    errors: [
      ...(traces > 0 ? [{ kind: "trace", at: "", message: countWord(traces, "stack trace") }] : []),
      ...findings,
      ...(more > 0 ? [{ kind: "line", at: "", message: `${countWord(more, "more line")} like these` }] : []),
    ],
    outliers: isLong
      ? [{ kind: "long", at: `line ${longest.index + 1}`, message: `${longest.length} characters` }]
      : [],
  };
}

/** By what its tags say; it is not rendered. Scripts and styles are no text. */
export function describeMarkup(text: string, kind: "html" | "xml"): TextDescription {
  const source = text.slice(0, MAX_CHARS);
  const tags = countTags(source);
  if (kind === "xml") {
    const named = Object.entries(tags).sort(([, one], [, other]) => other - one);
    const shape = named.slice(0, 12).map(([tag, times]) => `${tag} ${times}`);
    return { shape: [`elements: ${shape.join(", ")}`], errors: [], outliers: [] };
  }
  const visible = source
    .replace(/<(script|style|noscript|title)\b[\s\S]*?(<\/\1\s*>|$)/gi, " ")
    .replace(/<[^<>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  const title = excerpt(/<title[^<>]*>([^<]*)/i.exec(source)?.[1] ?? "");
  const headings = [...source.matchAll(/<h[12][^<>]*>([^<]{1,300})/gi)].map((match) => excerpt(match[1] ?? "", 80));
  const counted = ["a", "form", "input", "img", "table", "script", "iframe"].flatMap((tag) =>
    tags[tag] ? [`${tag} ${tags[tag]}`] : [],
  );
  const isError = /\b(404|403|500|502|503|error|not found|forbidden|denied|unavailable)\b/i.test(title);
  return {
    shape: [
      title === "" ? "no title" : `title: ${title}`,
      ...(headings.length > 0 ? [`headings: ${headings.slice(0, 8).join(" · ")}`] : []),
      ...(counted.length > 0 ? [`elements: ${counted.join(", ")}`] : []),
      `${countWord(visible.length, "character")} of visible text`,
    ],
    errors: isError ? [{ kind: "page", at: "title", message: `reads like an error page: ${title}` }] : [],
    outliers: [],
  };
}

function countTags(source: string): Record<string, number> {
  const counts = new Map<string, number>();
  for (const [, tag = ""] of source.matchAll(/<([a-z][\w:-]*)/gi)) {
    const name = tag.toLowerCase();
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}
