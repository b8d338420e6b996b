import { cleanText } from "../cli/render/clean-text.ts";

const ESCAPE = "\u001b";
/** Colours (SGR) and nothing else of what a terminal obeys. */
const COLOR = new RegExp(`${ESCAPE}\\[[\\d;:]*m`);
/** The beginning of what may become a colour with the next chunk. */
const BEGUN = new RegExp(`${ESCAPE}(?:\\[[\\d;:]{0,64})?$`);

/**
 * Text that code or a model wrote, as it comes, for a person's terminal: colours pass, everything else that could move
 * the cursor, rename the window or reach the clipboard is shown as what it is. What was painted ends with it.
 */
export function createOutputFilter(): { write(text: string): string; end(): string } {
  let held = "";
  let isPainted = false;
  const clean = (text: string) =>
    text
      .replaceAll("\r\n", "\n")
      .split(new RegExp(`(${COLOR.source})`))
      .map((part, index) => {
        if (index % 2 === 0) return cleanPart(part);
        isPainted = !/\[0?m$/.test(part);
        return part;
      })
      .join("");
  return {
    write(text) {
      const whole = held + text;
      held = BEGUN.exec(whole)?.[0] ?? (whole.endsWith("\r") ? "\r" : "");
      return clean(whole.slice(0, whole.length - held.length));
    },
    end() {
      const rest = clean(held);
      const plain = isPainted ? `${ESCAPE}[0m` : "";
      held = "";
      isPainted = false;
      return rest + plain;
    },
  };
}

/** Progress bars return to the start of their line with a carriage return; that is harmless. */
function cleanPart(text: string): string {
  return text.split("\r").map(cleanText).join("\r");
}
