import { documentError } from "./document-error.ts";

const UTF_16 = { fffe: "utf-16le", feff: "utf-16be" } as const;

/** UTF-8, or UTF-16 with its mark. Nothing is guessed: a wrong guess would fill the index with nonsense. */
export function decodeText(content: Buffer): string {
  const mark = content.subarray(0, 2).toString("hex");
  const encoding = mark in UTF_16 ? UTF_16[mark as keyof typeof UTF_16] : "utf-8";
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(content);
  } catch {
    if (content.includes(0)) throw binary();
    const hint = "Convert it: `iconv -f windows-1252 -t UTF-8 OLD > NEW`, with the encoding that it has.";
    throw documentError("The file is not text in UTF-8 or UTF-16.", hint);
  }
  if (text.includes("\0")) throw binary();
  if (text.trim() === "") throw documentError("The file is empty.", "Write something into it, or leave it out.");
  return text.replaceAll("\r\n", "\n");
}

function binary() {
  return documentError("The file is binary, whatever its name says.", "Leave it out, or give it its right extension.");
}
