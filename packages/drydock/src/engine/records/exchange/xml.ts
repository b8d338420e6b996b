import { showInvisible } from "../show-invisible.ts";

/** One element. Nothing of it is markup yet: text and values are escaped when it is written. */
export interface Element {
  name: string;
  attributes?: Record<string, string | number | undefined>;
  children?: readonly Element[];
  /** Instead of children. */
  text?: string;
}

export function writeXml(root: Element): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${writeElement(root, "")}`;
}

function writeElement({ name, attributes = {}, children = [], text }: Element, indent: string): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escapeAttribute(String(value))}"`)
    .join("");
  const open = `${indent}<${name}${written}`;
  if (text !== undefined && text !== "") return `${open}>${escapeText(text)}</${name}>\n`;
  if (children.length === 0) return `${open}/>\n`;
  return `${open}>\n${children.map((child) => writeElement(child, `${indent}  `)).join("")}${indent}</${name}>\n`;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeText(text: string): string {
  return showInvisible(text).replace(/[&<>"]/g, (character) => ENTITIES[character] ?? "");
}

/** A reader takes a bare line break in a value for a space. */
function escapeAttribute(value: string): string {
  return escapeText(value).replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");
}
