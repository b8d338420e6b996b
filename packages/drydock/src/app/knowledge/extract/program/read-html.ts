import { Parser } from "htmlparser2";

interface Part {
  text: string;
  heading?: string;
}

/** Their contents are no text for people. */
const SKIPPED = new Set("script style noscript template svg math iframe object canvas select button".split(" "));
const BLOCKS = new Set(
  `address article aside blockquote body br caption dd div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr
  li main nav ol p pre section table tr ul`.split(/\s+/),
);
const CELLS = new Set(["td", "th"]);
const CHARSET = /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i;
const LOOK_BYTES = 4096;

/** The text of a page, with a part for each heading. */
export async function readHtml(content: Uint8Array): Promise<Part[]> {
  const parts: Part[] = [];
  const path: string[] = [];
  let text = "";
  let heading: { level: number; text: string } | null = null;
  let skipped = 0;
  let kept = 0;
  let isTitle = false;
  let title = "";
  const close = () => {
    const above = path.filter((name) => name).join(" > ") || title.trim();
    if (text.trim() !== "") parts.push({ text: tidy(text), ...(above !== "" && { heading: above }) });
    text = "";
  };
  const add = (piece: string) => {
    text += piece;
    if (heading) heading.text += piece;
  };
  const parser = new Parser({
    onopentag(name, attributes) {
      if (skipped > 0 || SKIPPED.has(name) || "hidden" in attributes) skipped++;
      if (skipped > 0) return;
      if (name === "title") isTitle = true;
      if (name === "pre") kept++;
      const level = levelOf(name);
      if (level !== null) {
        close();
        heading = { level, text: "" };
      }
      if (BLOCKS.has(name)) text += name === "li" ? "\n- " : "\n";
    },
    onclosetag(name) {
      if (skipped > 0) {
        skipped--;
        return;
      }
      if (name === "title") isTitle = false;
      if (name === "pre") kept--;
      if (heading && levelOf(name) !== null) {
        path.length = Math.min(path.length, heading.level - 1);
        path.push(heading.text.replace(/\s+/g, " ").trim());
        heading = null;
      }
      if (BLOCKS.has(name)) text += "\n";
      if (CELLS.has(name)) text += " | ";
    },
    ontext(piece) {
      if (skipped > 0) return;
      if (isTitle) title += piece;
      else add(kept > 0 ? piece : piece.replace(/\s+/g, " "));
    },
  });
  parser.end(decode(content));
  close();
  return parts;
}

function levelOf(name: string): number | null {
  return /^h[1-6]$/.test(name) ? Number(name[1]) : null;
}

function tidy(text: string): string {
  const lines = text.split("\n").map((line) => line.trimEnd());
  return lines
    .filter((line, index) => line !== "" || lines[index - 1] !== "")
    .join("\n")
    .trim();
}

/** A page says itself how it is encoded; without a word, it is UTF-8. */
function decode(content: Uint8Array): string {
  const start = Buffer.from(content.subarray(0, LOOK_BYTES)).toString("latin1");
  const mark = Buffer.from(content.subarray(0, 2)).toString("hex");
  const named = mark === "fffe" ? "utf-16le" : mark === "feff" ? "utf-16be" : (CHARSET.exec(start)?.[1] ?? "utf-8");
  try {
    return new TextDecoder(named, { fatal: true }).decode(content);
  } catch {
    throw new Error(`it is not text in ${named}`);
  }
}
