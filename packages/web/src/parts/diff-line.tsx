import type { KeyboardEvent, ReactNode } from "react";
import { cx } from "./class-names.ts";
import type { DiffLine } from "./parse-diff.ts";

export type DiffSide = "before" | "after";

/** What can be said about lines of a change. */
export interface LineNotes {
  /** What the button on a line is called. */
  label(line: number, side: DiffSide): string;
  onPick(path: string, line: number, side: DiffSide): void;
  /** What stands below a line; null: nothing. */
  below(path: string, line: number, side: DiffSide): ReactNode;
}

interface Props {
  line: DiffLine | null;
  /** Which column it stands in; absent: there is only one. */
  side?: DiffSide;
  path: string;
  notes: LineNotes | null;
}

const FILLS = { same: "", added: "bg-(--added)", removed: "bg-(--removed)" } as const;
const SIGNS = { same: " ", added: "+", removed: "−" } as const;

export function DiffLineView({ line, side, path, notes }: Props) {
  if (line === null) return <div className="bg-sunken" />;
  const number = side ? line[side] : (line.after ?? line.before);
  const isSame = line.kind === "same";
  return (
    <div className={cx("group/line flex min-w-0 pr-2", FILLS[line.kind])}>
      <LineNumber number={number} side={sideOf(line, side)} path={path} notes={notes} />
      <span aria-hidden="true" className={cx("w-4 shrink-0 select-none", isSame ? "text-faint" : "text-ink")}>
        {SIGNS[line.kind]}
      </span>
      <span className="min-w-0 wrap-anywhere whitespace-pre-wrap">{line.text}</span>
    </div>
  );
}

/** A line that is in both files is meant as it is with the change. */
export function sideOf(line: DiffLine, column: DiffSide | undefined): DiffSide {
  if (line.kind === "same") return column ?? "after";
  return line.kind === "removed" ? "before" : "after";
}

interface NumberProps extends Pick<Props, "path" | "notes"> {
  number: number | null;
  side: DiffSide;
}

function LineNumber({ number, side, path, notes }: NumberProps) {
  const look = "w-11 shrink-0 pr-2 text-right text-faint select-none";
  if (notes === null || number === null) return <span className={look}>{number}</span>;
  return (
    <button
      type="button"
      data-line
      // Arrow keys lead from line to line; the tab key leads to the first one, and on.
      tabIndex={-1}
      aria-label={notes.label(number, side)}
      onClick={() => notes.onPick(path, number, side)}
      className={cx(
        look,
        "hover:bg-accent hover:text-accent-ink group-hover/line:text-accent focus-visible:outline-offset-[-2px]",
      )}
    >
      {number}
    </button>
  );
}

/** Leads from line to line of a file with the arrow keys, from the file's header into it. */
export function moveInLines(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0 || /^(TEXTAREA|INPUT)$/.test((event.target as HTMLElement).tagName)) return;
  const lines = [...event.currentTarget.querySelectorAll<HTMLElement>("button[data-line]")];
  const at = lines.indexOf(document.activeElement as HTMLElement);
  const first = (event.target as HTMLElement).querySelector<HTMLElement>("button[data-line]");
  const next = at < 0 ? first : lines[Math.max(0, Math.min(at + step, lines.length - 1))];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
