import { useId, useState } from "react";
import { Unread } from "../settings.ts";
import { type ControlProps, describe } from "./control-props.ts";
import { Suggestions } from "./suggestions.tsx";

const toText = (value: unknown) => (value === undefined || value === null ? "" : String(value));

export function TextControl(props: ControlProps) {
  const offered = useId();
  const { options } = props.field;
  return (
    <>
      <input
        {...describe(props)}
        type="text"
        list={options.length > 0 ? offered : undefined}
        autoComplete="off"
        spellCheck={false}
        value={toText(props.value)}
        onChange={({ target }) => props.onChange(target.value)}
        className="field w-full"
      />
      {options.length > 0 && <Suggestions id={offered} options={options} />}
    </>
  );
}

export function LongTextControl(props: ControlProps) {
  const text = toText(props.value);
  return (
    <textarea
      {...describe(props)}
      rows={Math.min(16, Math.max(3, text.split("\n").length + 1))}
      value={text}
      onChange={({ target }) => props.onChange(target.value)}
      className="field w-full"
    />
  );
}

/** What is half a number stands in the field as it was typed, and is no value. */
export function NumberControl(props: ControlProps) {
  const { value, field, onChange } = props;
  const [text, setText] = useState(value instanceof Unread ? value.text : toText(value));
  const read = (typed: string) => {
    if (typed.trim() === "") return undefined;
    const number = Number(typed);
    const fits = field.kind === "integer" ? Number.isInteger(number) : Number.isFinite(number);
    return fits ? number : new Unread(typed, field.kind === "integer" ? "integer" : "number");
  };
  return (
    <input
      {...describe(props)}
      type="text"
      inputMode={field.kind === "integer" ? "numeric" : "decimal"}
      autoComplete="off"
      value={text}
      onChange={({ target }) => {
        setText(target.value);
        onChange(read(target.value));
      }}
      className="field tabular w-full max-w-48"
    />
  );
}

export function JsonControl(props: ControlProps) {
  const { value, onChange } = props;
  const [text, setText] = useState(() =>
    value instanceof Unread ? value.text : value === undefined ? "" : JSON.stringify(value, null, 2),
  );
  const read = (typed: string) => {
    if (typed.trim() === "") return undefined;
    try {
      return JSON.parse(typed) as unknown;
    } catch {
      return new Unread(typed, "json");
    }
  };
  return (
    <textarea
      {...describe(props)}
      rows={Math.min(16, Math.max(3, text.split("\n").length + 1))}
      spellCheck={false}
      value={text}
      onChange={({ target }) => {
        setText(target.value);
        onChange(read(target.value));
      }}
      className="field w-full font-mono text-xs"
    />
  );
}

export function SelectControl(props: ControlProps) {
  const { field, value, onChange } = props;
  const chosen = toText(value);
  const isKnown = field.options.some((option) => option.value === chosen);
  return (
    <select
      {...describe(props)}
      value={chosen}
      onChange={({ target }) => onChange(target.value)}
      className="field w-full max-w-96"
    >
      {!isKnown && <option value={chosen}>{chosen || "–"}</option>}
      {field.options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

/** A switch, with its label beside it. */
export function BooleanControl(props: ControlProps) {
  const { field, value, onChange } = props;
  return (
    <label className="flex min-h-8 cursor-pointer items-center gap-2.5 text-sm font-medium">
      <input
        {...describe(props)}
        required={false}
        type="checkbox"
        checked={value === true}
        onChange={({ target }) => onChange(target.checked)}
        className="size-4 accent-(--accent)"
      />
      {field.label}
    </label>
  );
}
