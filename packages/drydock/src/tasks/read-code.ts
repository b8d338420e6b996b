import type { Language } from "@drydock/protocol";

export interface ReadCode {
  code: string;
  /** What the answer calls it. */
  name: string | null;
}

const FENCE = /^(`{3,}|~{3,})[ \t]*([^\n`]*)\n([\s\S]*?)^\1[ \t]*$/gm;
const ALIASES: Record<Language, readonly string[]> = {
  python: ["python", "py", "python3"],
  node: ["node", "javascript", "js", "mjs"],
  bash: ["bash", "sh", "shell"],
};
const BLOCK_NAME = /^[A-Za-z][\w.-]{0,63}$/;

/** Takes the code out of an answer: the blocks of its language, else the only block, else the answer where it is bare code. */
export function readCode(text: string, language: Language): ReadCode | null {
  const closed = text.replaceAll("\r\n", "\n");
  const blocks = [...closed.matchAll(FENCE)].map(([, , info = "", code = ""]) => ({ ...readInfo(info), code }));
  if (blocks.length === 0) return readBare(closed);
  const own = blocks.filter((block) => ALIASES[language].includes(block.word));
  const chosen = own.length > 0 ? own : blocks.filter((block) => block.word === "");
  const code = chosen.map((block) => block.code).join("\n");
  if (code.trim() === "") return null;
  return { code, name: chosen.find((block) => block.name !== null)?.name ?? null };
}

function readInfo(info: string): { word: string; name: string | null } {
  const [word = "", second = ""] = info.trim().split(/\s+/);
  const name = second.replace(/^name=/, "").replaceAll(/["']/g, "");
  return { word: word.toLowerCase(), name: BLOCK_NAME.test(name) ? name : null };
}

/** An answer that opens a fence and never closes it was cut off: half a program is none. */
function readBare(text: string): ReadCode | null {
  if (text.trim() === "" || /^(```|~~~)/m.test(text)) return null;
  const isProse =
    /^[A-Z][^\n=(]*[.:!?]\s*$/m.test(text) && !/^\s*(import|from|def|print|for|if|[\w.]+\s*=)/m.test(text);
  return isProse ? null : { code: text, name: null };
}
