import type { HostSource, SourceTypeInfo } from "@drydock/protocol";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useMemo, useState } from "react";
import { choicesQuery } from "../../data/agent-queries.ts";
import { client } from "../../data/client.ts";
import { defineField, type Field, type FormValues } from "../../forms/field.ts";
import { FormFields } from "../../forms/form-fields.tsx";
import { readJsonSchema } from "../../forms/read-json-schema.ts";
import { findProblems, startValues, toSettings } from "../../forms/settings.ts";
import { useFormPorts } from "../../forms/use-form-ports.ts";
import { useSaving } from "../../forms/use-saving.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorNote } from "../../parts/notes.tsx";
import { useWords } from "../../words/words.ts";

const NAME = /^[a-z][a-z0-9-]{0,62}$/;
/** What stands before the names of secrets, so that they are told from the settings. */
const SECRET = "secret.";

interface Props {
  types: readonly SourceTypeInfo[];
  /** Null: a new one. */
  source: HostSource | null;
  onDone(): void;
}

/** A source, by the form that its type describes. */
export function EditSource({ types, source, onDone }: Props) {
  const { t } = useWords();
  const id = useId();
  const [typeName, setTypeName] = useState(source?.type ?? types[0]?.type ?? "");
  const [name, setName] = useState(source?.name ?? "");
  const type = types.find((each) => each.type === typeName);
  return (
    <div className="mt-4 flex max-h-[75dvh] flex-col gap-5 overflow-y-auto pr-1">
      {source === null && (
        <div className="grid gap-4 sm:grid-cols-2">
          <label className="flex flex-col gap-1.5 font-medium text-sm">
            {t("source.type")}
            <select value={typeName} onChange={({ target }) => setTypeName(target.value)} className="field font-normal">
              {types.map((each) => (
                <option key={each.type} value={each.type}>
                  {each.type}
                </option>
              ))}
            </select>
          </label>
          <label htmlFor={`${id}-name`} className="flex flex-col gap-1.5 font-medium text-sm">
            {t("agent.name")}
            <input
              id={`${id}-name`}
              autoComplete="off"
              spellCheck={false}
              value={name}
              onChange={({ target }) => setName(target.value)}
              className="field font-normal"
            />
          </label>
        </div>
      )}
      {type && <p className="text-sm text-soft">{type.summary}</p>}
      {type && <TypeForm key={type.type} {...{ type, source, name, onDone }} />}
    </div>
  );
}

function TypeForm({ type, source, name, onDone }: Omit<Props, "types"> & { type: SourceTypeInfo; name: string }) {
  const { t } = useWords();
  const { data: choices } = useQuery(choicesQuery);
  const ports = useFormPorts(true);
  const secrets = choices?.secrets ?? null;
  const fields = useMemo(() => createFields(type, secrets ?? []), [type, secrets]);
  const saved = useMemo(() => savedValues(source), [source]);
  const [values, setValues] = useState<FormValues>(() => startValues(fields, saved));
  const { form, problems, error, state, save } = useSaving();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = Object.entries(findProblems(fields, values)).map(([field, each]) => [field, t(`problem.${each}`)]);
    if (source === null && !NAME.test(name)) found.push(["name", t("agent.nameProblem")]);
    void save(Object.fromEntries(found), async () => {
      const { settings, secrets: names } = split(toSettings(fields, values, saved));
      const { sources } = client.host;
      if (source === null) await sources.create({ name, type: type.type, settings, secrets: names });
      else {
        // What was emptied is taken out: what is not named would stay.
        await sources.change(source.name, {
          settings: { ...emptied(source.settings), ...settings },
          secrets: { ...emptied(source.secrets), ...names },
        });
      }
      onDone();
    });
  };
  return (
    <form ref={form} noValidate onSubmit={submit} className="flex flex-col gap-5">
      {problems.name !== undefined && <p className="text-bad text-xs">{problems.name}</p>}
      <FormFields {...{ fields, values, problems, ports }} onChange={setValues} />
      {error !== null && <ErrorNote error={error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>{t("confirm.back")}</Button>
        <Button type="submit" look="primary" disabled={state === "busy"}>
          {t("agent.save")}
        </Button>
      </div>
    </form>
  );
}

function createFields({ settings, secrets }: SourceTypeInfo, stored: readonly string[]): Field[] {
  const options = stored.map((value) => ({ value, label: value }));
  const named = secrets.map(({ name, description, required }) =>
    defineField({
      ...{ name: `${SECRET}${name}`, label: name, kind: "secret", options },
      ...{ description: description.replaceAll("`", ""), isRequired: required },
    }),
  );
  return [...named, ...readJsonSchema(settings)];
}

function savedValues(source: HostSource | null): FormValues {
  if (!source) return {};
  const secrets = Object.entries(source.secrets).map(([name, value]) => [`${SECRET}${name}`, value]);
  return { ...source.settings, ...Object.fromEntries(secrets) };
}

function split(values: Record<string, unknown>) {
  const isSecret = ([name]: [string, unknown]) => name.startsWith(SECRET);
  const entries = Object.entries(values);
  const secrets = entries.filter(isSecret).map(([name, value]) => [name.slice(SECRET.length), String(value)]);
  return {
    settings: Object.fromEntries(entries.filter((entry) => !isSecret(entry))),
    secrets: Object.fromEntries(secrets) as Record<string, string>,
  };
}

function emptied(values: Readonly<Record<string, unknown>>): Record<string, null> {
  return Object.fromEntries(Object.keys(values).map((name) => [name, null]));
}
