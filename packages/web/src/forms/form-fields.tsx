import { type ComponentType, useId } from "react";
import { cx } from "../parts/class-names.ts";
import { useWords } from "../words/words.ts";
import { ChoicesControl } from "./controls/choices-control.tsx";
import type { ControlProps, FormPorts } from "./controls/control-props.ts";
import { FileControl } from "./controls/file-control.tsx";
import { ListControl } from "./controls/list-control.tsx";
import { ModelControl, ModelsControl } from "./controls/model-controls.tsx";
import { PromptControl } from "./controls/prompt-control.tsx";
import { SecretControl } from "./controls/secret-control.tsx";
import {
  BooleanControl,
  JsonControl,
  LongTextControl,
  NumberControl,
  SelectControl,
  TextControl,
} from "./controls/text-controls.tsx";
import type { Field, FieldKind, FormValues } from "./field.ts";
import { shownFields } from "./settings.ts";

const CONTROLS: Readonly<Record<FieldKind, ComponentType<ControlProps>>> = {
  text: TextControl,
  "long-text": LongTextControl,
  integer: NumberControl,
  number: NumberControl,
  boolean: BooleanControl,
  secret: SecretControl,
  select: SelectControl,
  list: ListControl,
  choices: ChoicesControl,
  json: JsonControl,
  model: ModelControl,
  models: ModelsControl,
  prompt: PromptControl,
  file: FileControl,
  files: FileControl,
};

/** Controls of several elements: they are a group with a name, and not one field with a label. */
const GROUPS: readonly FieldKind[] = ["list", "choices", "prompt", "files"];

interface Props {
  fields: readonly Field[];
  values: FormValues;
  /** What is wrong, by the names of fields, in words. */
  problems: Readonly<Record<string, string>>;
  isDisabled?: boolean;
  ports: FormPorts;
  onChange(values: FormValues): void;
}

/** A form, made from the description of its fields. */
export function FormFields({ fields, values, problems, isDisabled = false, ports, onChange }: Props) {
  return (
    <div className="flex flex-col gap-5">
      {shownFields(fields, values).map((field) => (
        <FieldRow
          key={field.name}
          field={field}
          value={values[field.name]}
          problem={problems[field.name] ?? null}
          isDisabled={isDisabled || field.lock !== null}
          ports={ports}
          onChange={(value) => onChange({ ...values, [field.name]: value })}
        />
      ))}
    </div>
  );
}

interface RowProps extends Pick<ControlProps, "field" | "value" | "isDisabled" | "ports" | "onChange"> {
  problem: string | null;
}

function FieldRow({ field, value, problem, ...others }: RowProps) {
  const { t } = useWords();
  const id = useId();
  const { kind, label, description, lock, isRequired } = field;
  if (field.isDisplayOnly) return <Shown field={field} value={value} />;
  const texts = [
    description !== null && `${id}-text`,
    lock !== null && `${id}-lock`,
    problem !== null && `${id}-problem`,
  ].filter(Boolean);
  const Control = CONTROLS[kind];
  const isGroup = GROUPS.includes(kind);
  const Row = isGroup ? "fieldset" : "div";
  const title = (
    <>
      {label}
      {isRequired && (
        <span aria-hidden="true" className="ml-1.5 font-normal text-soft text-xs">
          {t("forms.required")}
        </span>
      )}
    </>
  );
  return (
    <Row data-field={field.name} className="flex min-w-0 flex-col gap-1.5">
      {isGroup ? (
        <legend className="mb-1.5 font-medium text-sm">{title}</legend>
      ) : (
        kind !== "boolean" && (
          <label htmlFor={id} className="self-start font-medium text-sm">
            {title}
          </label>
        )
      )}
      {kind !== "boolean" && description !== null && <Help id={`${id}-text`}>{description}</Help>}
      <Control
        {...{ ...others, field, value, id, isInvalid: problem !== null }}
        describedBy={texts.length > 0 ? texts.join(" ") : undefined}
      />
      {kind === "boolean" && description !== null && (
        <Help id={`${id}-text`} className="-mt-1 ml-6.5">
          {description}
        </Help>
      )}
      {lock !== null && (
        <p id={`${id}-lock`} className="text-warn text-xs">
          {t("forms.locked", { reason: lock })}
        </p>
      )}
      {problem !== null && (
        <p id={`${id}-problem`} className="text-bad text-xs">
          {problem}
        </p>
      )}
    </Row>
  );
}

function Help({ id, className, children }: { id: string; className?: string; children: string }) {
  return (
    <p id={id} className={cx("max-w-prose text-soft text-xs wrap-anywhere", className)}>
      {children}
    </p>
  );
}

/** What is only to be read. */
function Shown({ field, value }: { field: Field; value: unknown }) {
  const shown = value ?? field.initial;
  const text = typeof shown === "object" ? JSON.stringify(shown) : String(shown ?? "–");
  return (
    <dl data-field={field.name} className="flex flex-col gap-1 text-sm">
      <dt className="font-medium">{field.label}</dt>
      {field.description !== null && <dd className="text-soft text-xs">{field.description}</dd>}
      <dd className="rounded-md bg-sunken px-3 py-1.5 font-mono text-xs wrap-anywhere">{text}</dd>
    </dl>
  );
}
