import { useMemo } from "react";
import { useWords } from "../words/words.ts";
import { cx } from "./class-names.ts";
import { parseAnsi } from "./parse-ansi.ts";
import { ScrollArea } from "./scroll-area.tsx";

const COLORS = [
  ...["text-(--ansi-0)", "text-(--ansi-1)", "text-(--ansi-2)", "text-(--ansi-3)"],
  ...["text-(--ansi-4)", "text-(--ansi-5)", "text-(--ansi-6)", "text-(--ansi-7)"],
];
/** More pieces than this make a page slow; a file with all of it can be downloaded. */
const MOST_CHARS = 200_000;

/** Output of a program, with its colours. */
export function TerminalText({ text, label, className }: { text: string; label: string; className?: string }) {
  const { t } = useWords();
  const pieces = useMemo(() => parseAnsi(text.slice(0, MOST_CHARS)), [text]);
  return (
    <>
      <ScrollArea
        label={label}
        className={cx(
          "overflow-auto rounded-lg border border-line bg-sunken p-3 font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap",
          className,
        )}
      >
        {pieces.map((piece, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no names, and only their end changes.
            key={index}
            className={cx(
              piece.color !== null && COLORS[piece.color],
              piece.isBold && "font-bold",
              piece.isDim && "text-soft",
              piece.isUnderlined && "underline",
            )}
          >
            {piece.text}
          </span>
        ))}
      </ScrollArea>
      {text.length > MOST_CHARS && <p className="mt-1 text-soft text-xs">{t("output.cut")}</p>}
    </>
  );
}
