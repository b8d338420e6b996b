import { useRef } from "react";
import { cx } from "../../parts/class-names.ts";

interface Props {
  label: string;
  value: string;
  /** Lines with these are marked. */
  problems: readonly { line: number }[];
  describedBy: string;
  onChange(value: string): void;
  onSave(): void;
}

const LEAST_LINES = 14;
const MOST_LINES = 40;

/** A text with the numbers of its lines. Tab leaves it, as everywhere: two spaces are what YAML wants anyway. */
export function CodeField({ label, value, problems, describedBy, onChange, onSave }: Props) {
  const gutter = useRef<HTMLDivElement>(null);
  const lines = value.split("\n").length;
  const bad = new Set(problems.map(({ line }) => line));
  return (
    <div className="flex overflow-hidden rounded-lg border border-line-strong bg-panel font-mono text-xs leading-5 focus-within:outline-2 focus-within:outline-accent">
      <div
        ref={gutter}
        aria-hidden="true"
        className="overflow-hidden border-line border-r bg-sunken py-2 text-right text-soft select-none"
      >
        {Array.from({ length: Math.max(lines, 1) }, (_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number.
          <div key={at} className={cx("tabular px-2", bad.has(at + 1) && "bg-bad-tint font-semibold text-bad")}>
            {at + 1}
          </div>
        ))}
        <div className="h-6" />
      </div>
      <textarea
        aria-label={label}
        aria-describedby={describedBy}
        aria-invalid={problems.length > 0 || undefined}
        spellCheck={false}
        autoCapitalize="off"
        wrap="off"
        rows={Math.min(MOST_LINES, Math.max(LEAST_LINES, lines + 1))}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        onScroll={({ currentTarget }) => gutter.current?.scrollTo(0, currentTarget.scrollTop)}
        onKeyDown={(event) => {
          if (event.key !== "s" || !(event.metaKey || event.ctrlKey)) return;
          event.preventDefault();
          onSave();
        }}
        className="min-w-0 flex-1 resize-none bg-transparent px-3 py-2 outline-none"
      />
    </div>
  );
}
