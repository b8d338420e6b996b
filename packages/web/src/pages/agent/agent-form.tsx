import type { HostAgent, RunnerInfo } from "@drydock/protocol";
import { type FormEvent, type ReactNode, useMemo, useState } from "react";
import type { FormPorts } from "../../forms/controls/control-props.ts";
import { type FormValues, isEmpty } from "../../forms/field.ts";
import { FormFields } from "../../forms/form-fields.tsx";
import { readConfigFields } from "../../forms/read-config-fields.ts";
import { findProblems, startValues, toSettings } from "../../forms/settings.ts";
import { useFormPorts } from "../../forms/use-form-ports.ts";
import { useSaving } from "../../forms/use-saving.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorNote } from "../../parts/notes.tsx";
import { useWords } from "../../words/words.ts";
import { createConditionFields, readConditions, toChanges } from "./condition-fields.ts";
import { explainRights } from "./explain-rights.ts";
import { createRightFields, listAsked } from "./right-fields.ts";
import { RightsPanel } from "./rights-panel.tsx";
import type { AgentChoices } from "./to-choices.ts";

/** What is saved: everything but the name and the runner, which stand above the form. */
export type AgentSettings = Required<Pick<HostAgent, "config">> & { grants: FormValues } & ReturnType<typeof toChanges>;

interface Props {
  runner: RunnerInfo;
  /** Null for one that is not created yet. */
  agent: HostAgent | null;
  choices: AgentChoices;
  isOwner: boolean;
  verb: string;
  save(settings: AgentSettings): Promise<unknown>;
  /** What is wrong with the name, where it can be changed. */
  nameProblem?: string | null;
  /** What stands above the settings of the runner; it gets the problem of the name once somebody wants to save. */
  children?(nameProblem: string | null): ReactNode;
  /** Beside the form, below what its runs may do. */
  aside?: ReactNode;
}

const START_GRANTS = {
  ...{ models: [], tools: [], actions: [], knowledge: [], skills: [], stateScopes: ["conversation", "actor"] },
  ...{ history: true, events: true, artifacts: true, pluginStorage: true, workspaceStorage: false },
};

/** The settings of an agent: those of its runner, what its runs may use, and when they end. */
export function AgentForm({ runner, agent, choices, isOwner, verb, save, nameProblem = null, children, aside }: Props) {
  const { t, language } = useWords();
  const ports = useFormPorts(choices.maySetSecrets);
  const forced = agent?.forcedBoxScope ?? null;
  const fields = useMemo(() => readConfigFields(runner.configSchema, choices, language), [runner, choices, language]);
  const conditions = useMemo(() => createConditionFields(forced, t), [forced, t]);
  const saved = agent?.config ?? {};
  const [config, setConfig] = useState(() => ({ ...startValues(fields, saved), ...systemValues(runner, agent) }));
  const [grants, setGrants] = useState<FormValues>(agent?.grants ?? START_GRANTS);
  const [limits, setLimits] = useState(() => (agent ? readConditions(agent) : startValues(conditions, {})));
  const { form, problems, error, state, touch, save: saveForm } = useSaving();
  const edit = (set: (values: FormValues) => void) => (values: FormValues) => {
    set(values);
    touch();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = { ...findProblems(fields, config), ...findProblems(conditions, limits) };
    const words = Object.entries(found).map(([name, problem]) => [name, t(`problem.${problem}`)] as const);
    const all = Object.fromEntries(nameProblem === null ? words : [["name", nameProblem], ...words]);
    void saveForm(all, () =>
      save({ config: toSettings(fields, config, saved), grants, ...toChanges(limits, forced !== null) }),
    );
  };
  const common = { problems, ports, isDisabled: !isOwner };
  return (
    <form ref={form} noValidate onSubmit={submit} className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_19rem]">
      <div className="flex min-w-0 flex-col gap-6">
        {children?.(problems.name ?? null)}
        <Part title={t("agent.settings")} text={fields.length === 0 ? t("agent.noSettings") : null}>
          <FormFields {...common} fields={fields} values={config} onChange={edit(setConfig)} />
        </Part>
        <Part title={t("agent.rights")} text={t("agent.rightsText")}>
          <Rights {...common} {...{ runner, choices, grants }} onChange={edit(setGrants)} />
        </Part>
        <Part title={t("agent.conditions")} text={null}>
          <FormFields {...common} fields={conditions} values={limits} onChange={edit(setLimits)} />
        </Part>
        {error !== null && <ErrorNote error={error} />}
        <div className="sticky bottom-0 -mx-4 flex items-center gap-3 border-line border-t bg-page px-4 py-3 md:mx-0 md:px-0">
          <Button type="submit" look="primary" disabled={!isOwner || state === "busy"}>
            {verb}
          </Button>
          <p role="status" className="text-sm text-soft">
            {!isOwner ? t("agent.ownerOnly") : state === "saved" ? t("agent.saved") : ""}
          </p>
        </div>
      </div>
      <aside className="flex flex-col gap-4 lg:sticky lg:top-6">
        <RightsPanel lines={explainRights(runner, fields, { config, grants, defaults: choices.defaults })} />
        {aside}
      </aside>
    </form>
  );
}

interface RightsProps extends Pick<Props, "runner" | "choices"> {
  grants: FormValues;
  problems: Readonly<Record<string, string>>;
  ports: FormPorts;
  isDisabled: boolean;
  onChange(grants: FormValues): void;
}

/** What the runner asks for comes first; the rest is folded away. */
function Rights({ runner, choices, grants, ...others }: RightsProps) {
  const { t } = useWords();
  const rights = useMemo(() => createRightFields(choices, t), [choices, t]);
  const asked: readonly string[] = listAsked(runner);
  const further = rights.filter(({ name }) => !asked.includes(name));
  const granted = further.filter(
    ({ name }) => grants[name] === true || (grants[name] !== false && !isEmpty(grants[name])),
  );
  return (
    <>
      <FormFields {...others} fields={rights.filter(({ name }) => asked.includes(name))} values={grants} />
      <details className="mt-4">
        <summary className="text-accent text-sm">{t("agent.otherRights", { count: granted.length })}</summary>
        <div className="mt-4">
          <FormFields {...others} fields={further} values={grants} />
        </div>
      </details>
    </>
  );
}

/** What forms may show of the agent, and make conditions of. It is never saved. */
function systemValues({ id }: RunnerInfo, agent: HostAgent | null): FormValues {
  const scope = agent?.forcedBoxScope ?? agent?.box.scope;
  return { "__system.runner": id, "__system.agent": agent?.name, "__system.box_scope": scope };
}

export function Part({ title, text, children }: { title: string; text: string | null; children: ReactNode }) {
  return (
    <section className="rounded-xl border border-line bg-panel p-4 md:p-5">
      <h2 className="font-semibold">{title}</h2>
      {text !== null && <p className="mt-1 max-w-prose text-sm text-soft">{text}</p>}
      <div className="mt-4">{children}</div>
    </section>
  );
}
