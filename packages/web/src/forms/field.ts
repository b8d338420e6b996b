/** How a value is entered. Each kind has one control, in the folder `controls`. */
export type FieldKind =
  | "text"
  | "long-text"
  | "integer"
  | "number"
  | "boolean"
  | "secret"
  | "select"
  | "list"
  | "choices"
  | "json"
  | "model"
  | "models"
  | "prompt"
  | "file"
  | "files";

export interface FieldOption {
  value: string;
  label: string;
  /** A line below the label. */
  text?: string | null;
}

/** One field of a form, wherever its description came from, in the language that is shown. */
export interface Field {
  name: string;
  kind: FieldKind;
  label: string;
  description: string | null;
  isRequired: boolean;
  /** What it holds where nothing was chosen yet. Undefined: nothing. */
  initial: unknown;
  /** What can be chosen, or is offered while somebody types. */
  options: readonly FieldOption[];
  /** Whether other values than those of the options can be entered, where it is one of choices. */
  isOpen: boolean;
  /** It is shown only while another field has this value. */
  showIf: { field: string; value: unknown } | null;
  /** It is only shown, and never part of what is saved. */
  isDisplayOnly: boolean;
  /** Why it can't be changed here. It shows what it holds, or what it is forced to. */
  lock: string | null;
}

export type FormValues = Readonly<Record<string, unknown>>;

/** What is wrong with a field; the words are those of the chosen language. */
export type FieldProblem = "required" | "integer" | "number" | "json" | "choice";

/** Values that say that nothing is selected, in forms of earlier versions as well. */
const NOTHING: readonly unknown[] = [undefined, null, "", "__none__", "__none"];

export function isEmpty(value: unknown): boolean {
  if (NOTHING.includes(value)) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === "object" && value !== null && "primary" in value && isEmpty(value.primary);
}

/** A field with nothing special: what is named replaces the rest. */
export function defineField(field: Pick<Field, "name" | "kind" | "label"> & Partial<Field>): Field {
  const plain = { description: null, isRequired: false, initial: undefined, options: [], isOpen: false };
  return { ...plain, showIf: null, isDisplayOnly: false, lock: null, ...field };
}
