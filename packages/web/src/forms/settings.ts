import { type Field, type FieldProblem, type FormValues, isEmpty } from "./field.ts";

/** What a form shows first: what is saved, and the form's own values for what is not. */
export function startValues(fields: readonly Field[], saved: FormValues): FormValues {
  const values: Record<string, unknown> = { ...saved };
  for (const { name, initial } of fields) {
    if (!Object.hasOwn(saved, name) && initial !== undefined) values[name] = initial;
  }
  return values;
}

/** Fields that are shown with these values. One whose condition names a field that is not shown is not shown either. */
export function shownFields(fields: readonly Field[], values: FormValues): readonly Field[] {
  const isShown = ({ name, showIf }: Field, seen: readonly string[]): boolean => {
    if (!showIf) return true;
    const other = fields.find((each) => each.name === showIf.field);
    if (seen.includes(name) || !isSame(values[showIf.field], showIf.value)) return false;
    return !other || isShown(other, [...seen, name]);
  };
  return fields.filter((field) => isShown(field, []));
}

/** A condition may name one value, or several of which any will do. */
function isSame(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) return wanted.some((each) => isSame(value, each));
  return JSON.stringify(value ?? null) === JSON.stringify(wanted ?? null);
}

/**
 * What is saved. Fields that are not shown keep what they held before, so that a condition loses nothing; settings that the
 * form does not have stay, because they may be those of another version of the runner.
 */
export function toSettings(fields: readonly Field[], values: FormValues, saved: FormValues): Record<string, unknown> {
  const settings: Record<string, unknown> = { ...saved };
  for (const { name, isDisplayOnly } of fields) if (isDisplayOnly) delete settings[name];
  for (const { name, isDisplayOnly, lock } of shownFields(fields, values)) {
    if (isDisplayOnly || lock !== null) continue;
    const value = values[name];
    // An empty list is kept: it says something where the form would put something else.
    if (value === undefined || value === null || value === "") delete settings[name];
    else settings[name] = value;
  }
  return settings;
}

/** What a person has to mend before anything is sent, by the names of fields. */
export function findProblems(fields: readonly Field[], values: FormValues): Record<string, FieldProblem> {
  const problems = shownFields(fields, values).flatMap((field) => {
    const problem = field.isDisplayOnly || field.lock !== null ? null : findProblem(field, values[field.name]);
    return problem ? [[field.name, problem] as const] : [];
  });
  return Object.fromEntries(problems);
}

/** Text that is no value yet, such as half a number, is kept as it was typed. */
function findProblem({ kind, isRequired, options }: Field, value: unknown): FieldProblem | null {
  if (value instanceof Unread) return value.problem;
  if (isEmpty(value)) return isRequired ? "required" : null;
  if (kind === "integer" && !Number.isInteger(value)) return "integer";
  if (kind === "number" && typeof value !== "number") return "number";
  if (kind === "select" && !options.some((option) => option.value === value)) return "choice";
  return null;
}

/** What was typed and can't be read. The field shows it, and nothing is saved with it. */
export class Unread {
  readonly text: string;
  readonly problem: FieldProblem;
  constructor(text: string, problem: FieldProblem) {
    this.text = text;
    this.problem = problem;
  }
}
