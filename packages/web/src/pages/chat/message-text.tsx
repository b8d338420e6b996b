import { ScrollArea } from "../../parts/scroll-area.tsx";
import { useWords } from "../../words/words.ts";
import { splitBlocks, splitPieces } from "./split-message.ts";

/** What somebody said. It is text, whoever wrote it: nothing in it becomes a part of the page. */
export function MessageText({ text }: { text: string }) {
  const { t } = useWords();
  return (
    <div className="flex flex-col gap-2.5">
      {splitBlocks(text).map((block, index) =>
        block.kind === "code" ? (
          <ScrollArea
            // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no names, and only their end changes.
            key={index}
            label={`${t("run.code")} ${block.language}`.trim()}
            className="overflow-x-auto rounded-lg border border-line bg-sunken p-3 font-mono text-xs leading-5 whitespace-pre"
          >
            {block.text}
          </ScrollArea>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above.
          <p key={index} className="wrap-anywhere whitespace-pre-wrap">
            {splitPieces(block.text).map((piece, at) => {
              if (piece.kind === "plain") return piece.text;
              // biome-ignore lint/suspicious/noArrayIndexKey: as above.
              if (piece.kind === "bold") return <strong key={at}>{piece.text}</strong>;
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above.
                <code key={at} className="rounded bg-sunken px-1 py-0.5 font-mono text-[0.9em]">
                  {piece.text}
                </code>
              );
            })}
          </p>
        ),
      )}
    </div>
  );
}
