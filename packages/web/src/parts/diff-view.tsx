import { useMemo, useState } from "react";
import { useWords } from "../words/words.ts";
import { Button } from "./button.tsx";
import { cx } from "./class-names.ts";
import { type DiffFile, type DiffLine, type DiffRow, parseDiff } from "./parse-diff.ts";
import { ScrollArea } from "./scroll-area.tsx";

/** A file with more rows than this is shown when it is asked for. */
const MANY_ROWS = 400;

/** A change file by file: side by side where there is room, one below the other on a small screen. */
export function DiffView({ diff }: { diff: string }) {
  const files = useMemo(() => parseDiff(diff), [diff]);
  return (
    <div className="flex flex-col gap-4">
      {files.map((file) => (
        <FileDiff key={file.path} file={file} />
      ))}
    </div>
  );
}

function FileDiff({ file }: { file: DiffFile }) {
  const { t } = useWords();
  const rows = file.hunks.reduce((all, hunk) => all + hunk.rows.length, 0);
  const [isShown, setShown] = useState(rows <= MANY_ROWS);
  return (
    <section aria-label={file.path} className="overflow-hidden rounded-xl border border-line bg-panel">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-b bg-sunken px-4 py-2">
        <h2 className="min-w-0 font-mono text-sm font-medium wrap-anywhere">
          {file.from !== null && <span className="text-soft">{file.from} → </span>}
          {file.path}
        </h2>
        <span className="text-soft text-xs">{t(`change.${file.kind}`)}</span>
        <span className="tabular ml-auto font-mono text-xs">
          <span className="text-good">+{file.added}</span> <span className="text-bad">−{file.removed}</span>
        </span>
      </header>
      {file.isBinary && <p className="px-4 py-3 text-sm text-soft">{t("diff.binary")}</p>}
      {isShown ? (
        file.hunks.map((hunk) => (
          <div key={hunk.header}>
            <p className="truncate border-line border-b px-4 py-1 font-mono text-2xs text-soft">{hunk.header}</p>
            <ScrollArea label={hunk.header} className="overflow-x-auto">
              <div className="hidden min-w-180 grid-cols-2 font-mono text-xs leading-5 md:grid">
                {hunk.rows.map((row) => (
                  <SplitRow key={keyOf(row)} row={row} />
                ))}
              </div>
              <div className="font-mono text-xs leading-5 md:hidden">
                {joinRows(hunk.rows).map((line) => (
                  <Line key={`${line.kind} ${line.before} ${line.after}`} line={line} />
                ))}
              </div>
            </ScrollArea>
          </div>
        ))
      ) : (
        <div className="p-4">
          <Button onClick={() => setShown(true)}>{t("diff.show", { count: rows })}</Button>
        </div>
      )}
    </section>
  );
}

function SplitRow({ row: { left, right } }: { row: DiffRow }) {
  return (
    <>
      <Line line={left} side="before" />
      <Line line={right} side="after" />
    </>
  );
}

const FILLS = { same: "", added: "bg-(--added)", removed: "bg-(--removed)" } as const;
const SIGNS = { same: " ", added: "+", removed: "−" } as const;

function Line({ line, side }: { line: DiffLine | null; side?: "before" | "after" }) {
  if (line === null) return <div className="bg-sunken" />;
  const number = side ? line[side] : (line.after ?? line.before);
  const isSame = line.kind === "same";
  return (
    <div className={cx("flex min-w-0 pr-2", FILLS[line.kind])}>
      <span className="w-11 shrink-0 pr-2 text-right text-faint select-none">{number}</span>
      <span aria-hidden="true" className={cx("w-4 shrink-0 select-none", isSame ? "text-faint" : "text-ink")}>
        {SIGNS[line.kind]}
      </span>
      <span className="min-w-0 wrap-anywhere whitespace-pre-wrap">{line.text}</span>
    </div>
  );
}

/** First what was there, then what came, as a plain diff has it. */
function joinRows(rows: readonly DiffRow[]): DiffLine[] {
  const lines: DiffLine[] = [];
  let added: DiffLine[] = [];
  for (const { left, right } of rows) {
    if (left?.kind === "same") {
      lines.push(...added, left);
      added = [];
      continue;
    }
    if (left) lines.push(left);
    if (right) added.push(right);
  }
  return [...lines, ...added];
}

function keyOf({ left, right }: DiffRow): string {
  return `${left?.before ?? ""} ${right?.after ?? ""}`;
}
