import { showInvisible } from "../show-invisible.ts";

const markup = Symbol("markup");

/** Text that is markup already. Nothing but `html` makes it, so that whatever else is put into a page is escaped. */
export interface Html {
  readonly [markup]: string;
}

type Part = string | number | Html | null | false | readonly Part[];

/** Markup with values put in. A string is escaped; null and false are nothing; lists are put one after the other. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return {
    [markup]: strings.map((text, index) => text + (index < parts.length ? toMarkup(parts[index]) : "")).join(""),
  };
}

export function joinHtml(parts: readonly Html[], between: string): Html {
  return { [markup]: parts.map((part) => part[markup]).join(escapeText(between)) };
}

export function toText(value: Html): string {
  return value[markup];
}

/** The text of a style element, which knows no escapes. It is ours: nothing of a run is ever put there. */
export function styleElement(css: string): Html {
  return { [markup]: `<style>${css}</style>` };
}

function toMarkup(part: Part | undefined): string {
  if (part === null || part === undefined || part === false) return "";
  if (typeof part === "string") return escapeText(part);
  if (typeof part === "number") return String(part);
  if (markup in part) return part[markup];
  return part.map(toMarkup).join("");
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Safe as text and as an attribute's value in quotes. */
export function escapeText(text: string): string {
  return showInvisible(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
