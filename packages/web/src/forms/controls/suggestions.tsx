import type { FieldOption } from "../field.ts";

/** What the browser offers while somebody types into a field that names it. */
export function Suggestions({ id, options }: { id: string; options: readonly FieldOption[] }) {
  return (
    <datalist id={id}>
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </datalist>
  );
}
