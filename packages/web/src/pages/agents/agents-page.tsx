import type { Binding } from "@drydock/protocol";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTitle } from "../../app/use-title.ts";
import { client } from "../../data/client.ts";
import { agentsQuery, bindingsQuery, hostStatusQuery } from "../../data/host-queries.ts";
import { buttonClass } from "../../parts/button.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { EmptyNote, ErrorNote, Loading } from "../../parts/notes.tsx";
import { useWords } from "../../words/words.ts";
import { AgentCard } from "./agent-card.tsx";
import { HostWarnings, PluginTable } from "./plugin-table.tsx";

/** The agents of the host: what each may do, which events it gets, and whether its runner works. */
export function AgentsPage() {
  const { t } = useWords();
  useTitle(t("nav.agents"));
  const agents = useQuery(agentsQuery);
  const bindings = useQuery(bindingsQuery);
  const status = useQuery(hostStatusQuery);
  const queries = useQueryClient();
  const [leaving, setLeaving] = useState<Binding | null>(null);
  const error = agents.error ?? bindings.error ?? status.error;
  const unbind = async () => {
    if (leaving) await client.host.bindings.remove(leaving.id);
    await queries.invalidateQueries({ queryKey: ["host"] });
  };
  return (
    <div className="mx-auto flex max-w-5xl flex-col gap-6 px-4 py-6 md:px-8">
      <div className="flex items-center">
        <h1 className="font-semibold text-lg tracking-tight">{t("nav.agents")}</h1>
        <Link to="/agents/new" className={`${buttonClass("primary")} ml-auto`}>
          {t("agent.new")}
        </Link>
      </div>
      {error && <ErrorNote error={error} />}
      {!agents.data || !bindings.data || !status.data ? (
        !error && <Loading />
      ) : (
        <>
          {agents.data.agents.length === 0 ? (
            <EmptyNote title={t("chat.noAgents")}>
              <p>{t("chat.noAgentsText")}</p>
              <Link to="/agents/new" className={`${buttonClass()} mt-3`}>
                {t("agent.new")}
              </Link>
            </EmptyNote>
          ) : (
            <ul className="grid gap-4 lg:grid-cols-2">
              {agents.data.agents.map((agent) => (
                <AgentCard
                  key={agent.id}
                  agent={agent}
                  bindings={bindings.data.bindings.filter((each) => each.agent === agent.name)}
                  plugin={status.data.plugins.find(({ id }) => agent.runner.startsWith(`plugin:${id}/`)) ?? null}
                  onUnbind={setLeaving}
                />
              ))}
            </ul>
          )}
          <PluginTable plugins={status.data.plugins} />
          <HostWarnings warnings={status.data.warnings} />
        </>
      )}
      <Confirm
        title={t("agents.unbind")}
        verb={t("agents.unbind")}
        isDangerous
        isOpen={leaving !== null}
        onClose={() => setLeaving(null)}
        act={unbind}
      >
        <p>{t("agents.unbindText")}</p>
      </Confirm>
    </div>
  );
}
