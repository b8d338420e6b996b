import type { Section } from "./section.ts";

const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** A section for each heading, with the headings above it. What stands in a fenced block is no heading. */
export function readMarkdown(text: string): Section[] {
  const sections: Section[] = [];
  const path: string[] = [];
  let current: Section = { text: "", start: 0, line: 1 };
  let fence: string | null = null;
  let offset = 0;
  const close = () => {
    if (current.text.trim() !== "") sections.push(current);
  };
  for (const [index, line] of text.split("\n").entries()) {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== null && mark?.startsWith(fence) === true) fence = null;
    else if (fence === null && mark !== undefined) fence = mark;
    const heading = fence === null ? HEADING.exec(line) : null;
    if (heading) {
      close();
      path.length = Math.min(path.length, (heading[1]?.length ?? 1) - 1);
      path.push(heading[2] ?? "");
      const above = path.filter((title) => title).join(" > ");
      current = { text: "", start: offset, line: index + 1, ...(above !== "" && { heading: above }) };
    }
    current.text += `${line}\n`;
    offset += line.length + 1;
  }
  close();
  return sections;
}
