import { useEffect, useRef } from "react";
import { useWords } from "../words/words.ts";
import { cx } from "./class-names.ts";
import { Icon } from "./icon.tsx";

interface Props<T extends string> {
  label: string;
  options: readonly { value: T; label: string; count?: number }[];
  chosen: readonly T[];
  onChange(chosen: readonly T[]): void;
}

/** Several values of one kind: the button says what is chosen. */
export function FilterMenu<T extends string>({ label, options, chosen, onChange }: Props<T>) {
  const element = useRef<HTMLDetailsElement>(null);
  const { t } = useWords();
  useEffect(() => {
    const close = (event: Event) => {
      const { current } = element;
      const isOutside =
        event instanceof KeyboardEvent ? event.key === "Escape" : !current?.contains(event.target as Node);
      if (current?.open && isOutside) current.open = false;
    };
    document.addEventListener("pointerdown", close);
    document.addEventListener("keydown", close);
    return () => {
      document.removeEventListener("pointerdown", close);
      document.removeEventListener("keydown", close);
    };
  }, []);
  const names = options.filter(({ value }) => chosen.includes(value)).map((option) => option.label);
  return (
    <details ref={element} className="relative">
      <summary
        className={cx(
          "flex h-8 list-none items-center gap-1.5 rounded-md border px-2.5 text-sm hover:bg-sunken",
          chosen.length === 0 ? "border-line-strong bg-panel" : "border-accent bg-accent-tint text-accent",
        )}
      >
        <span className="max-w-40 truncate">{names.length === 0 ? label : `${label}: ${names.join(", ")}`}</span>
        <Icon name="down" className="size-3" />
      </summary>
      <fieldset className="absolute z-10 mt-1 max-h-80 min-w-48 overflow-y-auto rounded-lg border border-line bg-raised p-1.5 shadow-(--shadow)">
        <legend className="sr-only">{label}</legend>
        {options.map(({ value, label: name, count }) => (
          <label
            key={value}
            className="flex h-8 cursor-pointer items-center gap-2 rounded-md px-2 text-sm hover:bg-sunken"
          >
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, value] : chosen.filter((each) => each !== value))
              }
              className="size-3.5 accent-(--accent)"
            />
            {name}
            {count !== undefined && <span className="tabular ml-auto pl-4 text-soft text-xs">{count}</span>}
          </label>
        ))}
        {chosen.length > 0 && (
          <button
            type="button"
            onClick={() => onChange([])}
            className="mt-1 h-8 w-full rounded-md border-line border-t px-2 text-left text-sm text-soft hover:bg-sunken"
          >
            {t("filter.clear")}
          </button>
        )}
      </fieldset>
    </details>
  );
}
