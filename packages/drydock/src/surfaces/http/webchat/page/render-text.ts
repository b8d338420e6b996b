import { make } from "./make.ts";

const FENCE = /```[^\n]*\n([\s\S]*?)(?:\n```|$)/g;
const INLINE = /`([^`\n]+)`|\*\*([^*\n]+)\*\*|\[([^\]\n]{1,200})\]\((https?:\/\/[^\s)]+)\)|(https?:\/\/[^\s<>"')\]]+)/g;

/**
 * What an agent wrote, as elements: blocks of code, code, bold words and links. Everything else stays as it is written. An
 * agent's answer may come from anywhere: each piece becomes text, and addresses are those of the web only.
 */
export function renderText(text: string): DocumentFragment {
  const whole = document.createDocumentFragment();
  let at = 0;
  for (const match of text.matchAll(FENCE)) {
    addProse(whole, text.slice(at, match.index).replace(/\n$/, ""));
    whole.append(make("pre", {}, make("code", { textContent: match[1] ?? "" })));
    at = match.index + match[0].length;
    if (text[at] === "\n") at += 1;
  }
  addProse(whole, text.slice(at));
  return whole;
}

function addProse(whole: DocumentFragment, text: string): void {
  if (text === "") return;
  const prose = make("div", { className: "prose" });
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    const [all, code, bold, label, target, address] = match;
    prose.append(text.slice(at, match.index));
    if (code !== undefined) prose.append(make("code", { textContent: code }));
    else if (bold !== undefined) prose.append(make("strong", { textContent: bold }));
    else prose.append(makeLink(label ?? address ?? "", target ?? address ?? ""));
    at = match.index + all.length;
  }
  prose.append(text.slice(at));
  whole.append(prose);
}

function makeLink(label: string, href: string): HTMLAnchorElement {
  return make("a", { href, target: "_blank", rel: "noopener noreferrer nofollow", textContent: label, title: href });
}
