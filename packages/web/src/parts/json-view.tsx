import { type ReactNode, useState } from "react";
import { cx } from "./class-names.ts";

const MOST_ENTRIES = 200;
const MOST_CHARS = 4000;

/** A value as it is, folded open where it is small. */
export function JsonView({ value, name, depth = 0 }: { value: unknown; name?: string; depth?: number }) {
  const label = name !== undefined && <span className="text-soft">{name}: </span>;
  if (typeof value !== "object" || value === null) {
    return (
      <p className="wrap-anywhere whitespace-pre-wrap">
        {label}
        <span className={cx(typeof value === "string" ? "text-(--ansi-2)" : "text-(--ansi-4)")}>{show(value)}</span>
      </p>
    );
  }
  const entries = Object.entries(value);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (entries.length === 0) {
    return (
      <p>
        {label}
        {open}
        {close}
      </p>
    );
  }
  return <Entries entries={entries} label={label} brackets={[open, close]} depth={depth} />;
}

interface EntriesProps {
  entries: readonly [string, unknown][];
  label: ReactNode;
  brackets: readonly [string, string];
  depth: number;
}

/** What is folded is not made: a value may be folded deeper than a browser can nest. */
function Entries({ entries, label, brackets: [open, close], depth }: EntriesProps) {
  const [isOpen, setOpen] = useState(depth < 2 && entries.length <= 40);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="hover:text-accent">
        {label}
        {open} <span className="text-soft">{entries.length}</span> {close}
      </summary>
      {isOpen && (
        <div className="ml-1.5 border-line border-l pl-3">
          {entries.slice(0, MOST_ENTRIES).map(([key, each]) => (
            <JsonView key={key} name={key} value={each} depth={depth + 1} />
          ))}
          {entries.length > MOST_ENTRIES && <p className="text-soft">… {entries.length - MOST_ENTRIES}</p>}
        </div>
      )}
    </details>
  );
}

function show(value: unknown): string {
  const text = typeof value === "string" ? value : String(JSON.stringify(value));
  return text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS)}…` : text;
}
