import type { Binding } from "@drydock/protocol";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useMemo, useState } from "react";
import { client } from "../../data/client.ts";
import type { FormPorts } from "../../forms/controls/control-props.ts";
import type { FormValues } from "../../forms/field.ts";
import { FormFields } from "../../forms/form-fields.tsx";
import { findProblems, startValues } from "../../forms/settings.ts";
import { useSaving } from "../../forms/use-saving.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorNote } from "../../parts/notes.tsx";
import { useWords } from "../../words/words.ts";
import { createBindingFields, findBadFilter, fromBinding, toBinding } from "./binding-fields.ts";

/** Forms whose fields need no server. */
const NO_PORTS: FormPorts = {
  keepFile: () => Promise.reject(new TypeError("There is no file here.")),
  storeSecret: null,
};

/** One binding: a new one, or another in its place. */
export function EditBinding({ agent, binding, onDone }: { agent: string; binding: Binding | null; onDone(): void }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const fields = useMemo(() => createBindingFields(t), [t]);
  const [values, setValues] = useState<FormValues>(() => (binding ? fromBinding(binding) : startValues(fields, {})));
  const { form, problems, error, state, save } = useSaving();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = Object.entries(findProblems(fields, values)).map(([name, each]) => [name, t(`problem.${each}`)]);
    const bad = findBadFilter(values);
    if (bad !== undefined) found.push(["filters", t("binding.badFilter", { text: bad })]);
    void save(Object.fromEntries(found), async () => {
      const { bindings } = client.host;
      const wanted = toBinding(agent, values);
      await (binding ? bindings.change(binding.id, wanted) : bindings.create(wanted));
      await queries.invalidateQueries({ queryKey: ["host"] });
      onDone();
    });
  };
  return (
    <form ref={form} noValidate onSubmit={submit} className="mt-4 flex flex-col gap-5">
      <FormFields {...{ fields, values, problems }} ports={NO_PORTS} onChange={setValues} />
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
