import { Fragment, type ReactNode, useMemo, useState } from "react";
import { useWords } from "../words/words.ts";
import { Button } from "./button.tsx";
import { DiffLineView, type LineNotes, moveInLines, sideOf } from "./diff-line.tsx";
import { type DiffFile, type DiffHunk, type DiffLine, type DiffRow, parseDiff } from "./parse-diff.ts";
import { ScrollArea } from "./scroll-area.tsx";
import { useWide } from "./use-wide.ts";

/** A file with more rows than this is shown when it is asked for. */
const MANY_ROWS = 400;

export interface FileNotes extends LineNotes {
  /** What stands in the header of a file, and below it. */
  action(path: string): ReactNode;
  belowHeader(path: string): ReactNode;
}

/** A change file by file: side by side where there is room, one below the other on a small screen. */
export function DiffView({ diff, notes = null }: { diff: string; notes?: FileNotes | null }) {
  const files = useMemo(() => parseDiff(diff), [diff]);
  return (
    <div className="flex flex-col gap-4">
      {files.map((file) => (
        <FileDiff key={file.path} file={file} notes={notes} />
      ))}
    </div>
  );
}

function FileDiff({ file, notes }: { file: DiffFile; notes: FileNotes | null }) {
  const { t } = useWords();
  const rows = file.hunks.reduce((all, hunk) => all + hunk.rows.length, 0);
  const [isShown, setShown] = useState(rows <= MANY_ROWS);
  return (
    <section
      aria-label={file.path}
      onKeyDown={notes ? moveInLines : undefined}
      className="overflow-hidden rounded-xl border border-line bg-panel"
    >
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-b bg-sunken px-4 py-2">
        <h2 className="min-w-0 font-mono text-sm font-medium wrap-anywhere">
          {file.from !== null && <span className="text-soft">{file.from} → </span>}
          {file.path}
        </h2>
        <span className="text-soft text-xs">{t(`change.${file.kind}`)}</span>
        <span className="tabular ml-auto font-mono text-xs">
          <span className="text-good">+{file.added}</span> <span className="text-bad">−{file.removed}</span>
        </span>
        {notes?.action(file.path)}
      </header>
      {notes?.belowHeader(file.path)}
      {file.isBinary && <p className="px-4 py-3 text-sm text-soft">{t("diff.binary")}</p>}
      {isShown ? (
        file.hunks.map((hunk) => <Hunk key={hunk.header} hunk={hunk} path={file.path} notes={notes} />)
      ) : (
        <div className="p-4">
          <Button onClick={() => setShown(true)}>{t("diff.show", { count: rows })}</Button>
        </div>
      )}
    </section>
  );
}

interface HunkProps {
  hunk: DiffHunk;
  path: string;
  notes: FileNotes | null;
}

function Hunk({ hunk, path, notes }: HunkProps) {
  const isWide = useWide();
  return (
    <div>
      <p className="truncate border-line border-b px-4 py-1 font-mono text-2xs text-soft">{hunk.header}</p>
      <ScrollArea label={hunk.header} className="overflow-x-auto">
        {isWide ? (
          <div className="grid min-w-180 grid-cols-2 font-mono text-xs leading-5">
            {hunk.rows.map((row) => (
              <SplitRow key={keyOf(row)} row={row} path={path} notes={notes} />
            ))}
          </div>
        ) : (
          <div className="font-mono text-xs leading-5">
            {joinRows(hunk.rows).map((line) => (
              <Fragment key={`${line.kind} ${line.before} ${line.after}`}>
                <DiffLineView line={line} path={path} notes={notes} />
                {notesBelow(notes, path, line, undefined)}
              </Fragment>
            ))}
          </div>
        )}
      </ScrollArea>
    </div>
  );
}

function SplitRow({ row: { left, right }, path, notes }: { row: DiffRow; path: string; notes: FileNotes | null }) {
  const below = [notesBelow(notes, path, left, "before"), notesBelow(notes, path, right, "after")];
  return (
    <>
      <DiffLineView line={left} side="before" path={path} notes={notes} />
      <DiffLineView line={right} side="after" path={path} notes={notes} />
      {below.some(Boolean) && (
        <>
          <div className="min-w-0">{below[0]}</div>
          <div className="min-w-0">{below[1]}</div>
        </>
      )}
    </>
  );
}

function notesBelow(
  notes: FileNotes | null,
  path: string,
  line: DiffLine | null,
  column: "before" | "after" | undefined,
): ReactNode {
  if (notes === null || line === null) return null;
  const side = sideOf(line, column);
  const number = line[side];
  return number === null ? null : notes.below(path, number, side);
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
