import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useTitle } from "../../app/use-title.ts";
import { agentQuery } from "../../data/agent-queries.ts";
import { client } from "../../data/client.ts";
import { pickText } from "../../forms/pick-text.ts";
import { buttonClass } from "../../parts/button.tsx";
import { ErrorNote, Loading } from "../../parts/notes.tsx";
import { useWords } from "../../words/words.ts";
import { AgentForm } from "./agent-form.tsx";
import { BindingSection } from "./binding-section.tsx";
import { DeleteAgent } from "./delete-agent.tsx";
import { HarnessSection } from "./harness-section.tsx";
import { useAgentSetup } from "./use-agent-setup.ts";

/** One agent: its settings, what its runs may use, and whether it may work on this machine. */
export function AgentPage() {
  const { t, language } = useWords();
  const { name } = useParams({ from: "/agents/of/$name" });
  useTitle(name);
  const queries = useQueryClient();
  const agent = useQuery(agentQuery(name));
  const { error: setupError, runners, choices, isOwner } = useAgentSetup();
  const error = agent.error ?? setupError;
  const runner = runners?.find(({ id }) => id === agent.data?.runner);
  const isLoading = !agent.data || !runners || !choices;
  return (
    <div className="mx-auto flex max-w-5xl flex-col gap-6 px-4 py-6 md:px-8">
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-0">
          <Link to="/agents" className="text-accent text-sm hover:underline">
            {t("nav.agents")}
          </Link>
          <h1 className="font-semibold text-lg tracking-tight wrap-anywhere">{name}</h1>
          {agent.data && (
            <p className="text-soft text-xs wrap-anywhere">
              {runner && `${pickText(runner.label, language) ?? ""} · `}
              <span className="font-mono">{agent.data.runner}</span>
            </p>
          )}
        </div>
        <Link to="/chat/$id" params={{ id: "new" }} search={{ agent: name }} className={`${buttonClass()} ml-auto`}>
          {t("nav.chat")}
        </Link>
        {agent.data && isOwner && <DeleteAgent name={name} />}
      </div>
      {error ? (
        <ErrorNote error={error} />
      ) : isLoading ? (
        <Loading />
      ) : !runner ? (
        <p className="text-bad text-sm">{t("agents.noRunner")}</p>
      ) : (
        <>
          <BindingSection agent={name} bindings={agent.data.bindings} isOwner={isOwner} />
          <AgentForm
            key={`${agent.data.id} ${runner.id}`}
            {...{ runner, choices, isOwner }}
            agent={agent.data}
            verb={t("agent.save")}
            save={async (settings) => {
              await client.host.agents.change(name, settings);
              await queries.invalidateQueries({ queryKey: ["host"] });
            }}
            aside={runner.permissions.harness.includes("run") && <HarnessSection name={name} isOwner={isOwner} />}
          />
        </>
      )}
    </div>
  );
}
