import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useId, useState } from "react";
import { useTitle } from "../../app/use-title.ts";
import { client } from "../../data/client.ts";
import { ErrorNote, Loading } from "../../parts/notes.tsx";
import { useWords } from "../../words/words.ts";
import { AgentForm, Part } from "./agent-form.tsx";
import { RunnerChoice } from "./runner-choice.tsx";
import { useAgentSetup } from "./use-agent-setup.ts";

/** What a newcomer can use at once. */
const WITH_MODEL = "plugin:drydock/local-agent/default";
const WITHOUT_MODEL = "plugin:drydock/librarian/default";
const NAME = /^[a-z][a-z0-9-]{0,62}$/;

/** An agent from a runner that is installed: its name, its settings, and what its runs may use. */
export function NewAgentPage() {
  const { t } = useWords();
  useTitle(t("agent.new"));
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { error, runners, warnings, choices, isOwner } = useAgentSetup();
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<string | null>(null);
  const first = choices && choices.defaults.length > 0 ? WITH_MODEL : WITHOUT_MODEL;
  const runner = [chosen, first].flatMap((id) => runners?.find((each) => each.id === id) ?? [])[0] ?? runners?.[0];
  return (
    <div className="mx-auto flex max-w-5xl flex-col gap-6 px-4 py-6 md:px-8">
      <div>
        <Link to="/agents" className="text-accent text-sm hover:underline">
          {t("nav.agents")}
        </Link>
        <h1 className="font-semibold text-lg tracking-tight">{t("agent.new")}</h1>
      </div>
      {error ? (
        <ErrorNote error={error} />
      ) : !runners || !choices ? (
        <Loading />
      ) : !runner ? (
        <RunnerChoice runners={[]} chosen="" onChoose={setChosen} />
      ) : (
        <AgentForm
          key={runner.id}
          {...{ runner, choices, isOwner }}
          agent={null}
          verb={t("agent.create")}
          nameProblem={NAME.test(name) ? null : t("agent.nameProblem")}
          save={async (settings) => {
            const made = await client.host.agents.create({ name, runner: runner.id, ...settings });
            await queries.invalidateQueries({ queryKey: ["host"] });
            await navigate({ to: "/agents/of/$name", params: { name: made.name } });
          }}
        >
          {(problem) => (
            <Part title={t("agent.what")} text={null}>
              <div className="flex flex-col gap-5">
                <NameField name={name} problem={problem} onChange={setName} />
                <RunnerChoice runners={runners} chosen={runner.id} onChoose={setChosen} />
                {warnings.map((warning) => (
                  <p key={warning} className="text-sm text-warn wrap-anywhere">
                    {warning}
                  </p>
                ))}
                <p className="text-soft text-xs">
                  {t("agent.otherRunner")} <code className="font-mono">drydock plugin add DIRECTORY</code>
                </p>
              </div>
            </Part>
          )}
        </AgentForm>
      )}
    </div>
  );
}

interface NameProps {
  name: string;
  problem: string | null;
  onChange(name: string): void;
}

function NameField({ name, problem, onChange }: NameProps) {
  const { t } = useWords();
  const id = useId();
  return (
    <div data-field="name" className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium text-sm">
        {t("agent.name")}
      </label>
      <input
        id={id}
        required
        aria-invalid={problem !== null || undefined}
        aria-describedby={`${id}-text`}
        autoComplete="off"
        spellCheck={false}
        value={name}
        onChange={({ target }) => onChange(target.value)}
        className="field w-full max-w-80"
      />
      <p id={`${id}-text`} className={problem === null ? "text-soft text-xs" : "text-bad text-xs"}>
        {problem ?? t("agent.nameText")}
      </p>
    </div>
  );
}
