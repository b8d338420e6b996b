import { Field } from "../../parts/field.tsx";
import { Icon } from "../../parts/icon.tsx";
import { type Key, useWords } from "../../words/words.ts";
import type { TaskDraft, TaskField, TaskProblem } from "./plan-draft.ts";

interface Props {
  draft: TaskDraft;
  number: number;
  others: readonly TaskDraft[];
  problems: Partial<Record<TaskField, TaskProblem>>;
  onChange(part: Partial<TaskDraft>): void;
  /** Null: it is the only one. */
  onRemove: (() => void) | null;
}

/** One task of a plan that waits: what it does, what it may change, what must hold of it, and what comes first. */
export function PlanTaskForm({ draft, number, others, problems, onChange, onRemove }: Props) {
  const { t } = useWords();
  const fields = { draft, problems, onChange };
  return (
    <fieldset className="min-w-0 rounded-xl border border-line bg-panel p-4">
      <legend className="sr-only">{t("review.task", { number })}</legend>
      <div className="mb-3 flex items-center gap-2">
        <span className="text-soft text-xs">{t("review.task", { number })}</span>
        {onRemove && (
          <button
            type="button"
            aria-label={t("review.removeTask", { id: draft.id })}
            onClick={onRemove}
            className="ml-auto grid size-7 place-items-center rounded-md text-soft hover:bg-sunken hover:text-bad"
          >
            <Icon name="cross" />
          </button>
        )}
      </div>
      <div className="grid gap-4 md:grid-cols-2">
        <TextField {...fields} name="title" label="review.title" />
        <div className="grid grid-cols-[minmax(0,1fr)_6rem] gap-4">
          <TextField {...fields} name="id" label="review.id" isCode />
          <TextField {...fields} name="attempts" label="review.tries" />
        </div>
        <TextField {...fields} name="instructions" label="review.instructions" rows={3} className="md:col-span-2" />
        <TextField {...fields} name="scope" label="task.scope" hint="new.perLine" rows={3} isCode />
        <TextField {...fields} name="checks" label="review.checks" hint="review.checksHint" rows={3} isCode />
        {others.length > 0 && <After {...fields} others={others} />}
      </div>
    </fieldset>
  );
}

type FieldsProps = Pick<Props, "draft" | "problems" | "onChange">;

interface TextFieldProps extends FieldsProps {
  name: "title" | "id" | "attempts" | "instructions" | "scope" | "checks";
  label: Key;
  hint?: Key;
  /** Of a field with several lines. */
  rows?: number;
  isCode?: true;
  className?: string;
}

function TextField({ draft, problems, onChange, name, label, hint, rows, isCode, className }: TextFieldProps) {
  const { t } = useWords();
  const say = useProblem();
  const problem = name in problems ? say(problems[name as TaskField]) : null;
  return (
    <Field label={t(label)} hint={hint && t(hint)} problem={problem} className={className}>
      {(ids) => {
        const common = {
          ...ids,
          value: draft[name],
          spellCheck: !isCode,
          className: isCode ? "field font-mono" : "field",
          onChange: ({ target }: { target: { value: string } }) => onChange({ [name]: target.value }),
        };
        return rows === undefined ? <input {...common} /> : <textarea {...common} rows={rows} />;
      }}
    </Field>
  );
}

function After({ draft, problems, onChange, others }: FieldsProps & Pick<Props, "others">) {
  const { t } = useWords();
  const say = useProblem();
  const choose = (id: string, isChosen: boolean) => {
    const rest = draft.dependsOn.filter((each) => each !== id);
    onChange({ dependsOn: isChosen ? [...rest, id] : rest });
  };
  return (
    <fieldset className="min-w-0 md:col-span-2">
      <legend className="mb-1 text-sm font-medium">{t("review.after")}</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1.5">
        {others.map(({ key, id }) => (
          <label key={key} className="flex items-center gap-2 font-mono text-xs">
            <input
              type="checkbox"
              checked={draft.dependsOn.includes(id)}
              onChange={({ target }) => choose(id, target.checked)}
              className="size-3.5 accent-(--accent)"
            />
            {id}
          </label>
        ))}
      </div>
      {problems.dependsOn && <p className="mt-1 text-bad text-xs">{say(problems.dependsOn)}</p>}
    </fieldset>
  );
}

function useProblem(): (problem: TaskProblem | undefined) => string | null {
  const { t } = useWords();
  return (problem) => {
    if (!problem) return null;
    if (problem.kind === "check") return t("problem.check", { line: problem.line, text: problem.text });
    return t(`review.${problem.kind}`);
  };
}
