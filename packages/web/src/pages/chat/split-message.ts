export type Block = { kind: "text"; text: string } | { kind: "code"; text: string; language: string };
export type Piece = { kind: "plain" | "bold" | "code"; text: string };

/** Paragraphs, and code between fences. A fence that is not closed yet reaches to the end. */
export function splitBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let lines: string[] = [];
  let fence: { mark: string; language: string } | null = null;
  const close = () => {
    const joined = lines.join("\n");
    if (fence) blocks.push({ kind: "code", text: joined, language: fence.language });
    else if (joined.trim() !== "") blocks.push({ kind: "text", text: joined.replace(/^\n+|\n+$/g, "") });
    lines = [];
  };
  for (const line of text.split("\n")) {
    const [, mark = "", language = ""] = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)\s*$/.exec(line) ?? [];
    const isEnd: boolean = fence !== null && mark.startsWith(fence.mark) && language === "";
    if (mark === "" || (fence !== null && !isEnd)) {
      lines.push(line);
      continue;
    }
    close();
    fence = isEnd ? null : { mark, language };
  }
  close();
  return blocks;
}

/** Words in bold, and code in a line. Everything else stays as it is written: no addresses, no pages, no pictures. */
export function splitPieces(text: string): Piece[] {
  return text
    .split(/(`[^`\n]+`|\*\*[^*\n]+\*\*)/)
    .filter((part) => part !== "")
    .map((part): Piece => {
      if (part.length > 2 && part.startsWith("`") && part.endsWith("`"))
        return { kind: "code", text: part.slice(1, -1) };
      if (part.length > 4 && part.startsWith("**") && part.endsWith("**"))
        return { kind: "bold", text: part.slice(2, -2) };
      return { kind: "plain", text: part };
    });
}
