import { explainYamlError } from "@drydock/protocol";
import * as yaml from "yaml";
import type { FileProblem, Position } from "../text/index.ts";

/** Text of one YAML document, as the library's own nodes: each has its place in the text. */
export interface OpenYaml {
  /** Undefined where the text holds nothing. */
  document: yaml.Document.Parsed | undefined;
  positionAt(offset: number): Position;
}

/** The document, or what is wrong with the text as YAML. It never throws for what the text holds. */
export function openYaml(text: string): ({ ok: true } & OpenYaml) | { ok: false; problems: FileProblem[] } {
  const lineCounter = new yaml.LineCounter();
  const positionAt = (offset: number) => {
    const { line, col } = lineCounter.linePos(offset);
    return { line, column: col };
  };
  const broken = (errors: readonly { code: string; message: string; offset?: number }[]) => ({
    ok: false as const,
    problems: errors.map(({ code, message, offset }) => ({
      ...explainYamlError({ code, message }),
      key: "",
      position: offset === undefined ? undefined : positionAt(offset),
    })),
  });
  try {
    const all = yaml.parseAllDocuments(text, { lineCounter, prettyErrors: false, version: "1.2" });
    const documents = "empty" in all ? [] : all;
    const errors = documents.flatMap((each) => [...each.errors, ...each.warnings]);
    if (errors.length > 0) return broken(errors.map(({ code, message, pos }) => ({ code, message, offset: pos[0] })));
    const [document, second] = documents;
    if (second) return broken([{ code: "MULTIPLE_DOCS", message: "", offset: second.range?.[0] ?? 0 }]);
    return { ok: true, document, positionAt };
  } catch {
    // Nesting thousands of levels deep exhausts the parser's stack.
    return broken([{ code: "RESOURCE_EXHAUSTION", message: "" }]);
  }
}
