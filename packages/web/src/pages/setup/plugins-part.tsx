import type { PluginInfo, PluginInstallPlan } from "@drydock/protocol";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../../data/client.ts";
import { pluginsQuery } from "../../data/setup-queries.ts";
import { pickText } from "../../forms/pick-text.ts";
import { Button, buttonClass } from "../../parts/button.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { EmptyNote, ErrorNote, Loading } from "../../parts/notes.tsx";
import { useWords } from "../../words/words.ts";
import { AskedList } from "./asked-list.tsx";
import { type Installable, InstallDialog } from "./install-dialog.tsx";
import { listPluginAsks, listRunnerAsks } from "./list-asked.ts";
import { PluginCard } from "./plugin-card.tsx";

/** Where runners come from, and how their processes stand. */
export function PluginsPart({ isOwner }: { isOwner: boolean }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(pluginsQuery);
  const [isAdding, setAdding] = useState(false);
  const [leaving, setLeaving] = useState<PluginInfo | null>(null);
  const settle = () => queries.invalidateQueries({ queryKey: ["host"] });
  const look = async (source: string): Promise<Installable> => {
    const answer = await client.host.plugins.add({ source });
    if (answer.outcome === "installed") throw new TypeError("It was installed without being shown.");
    const { plan } = answer;
    return {
      title: `${plan.id} ${plan.version}`,
      facts: <PlanFacts plan={plan} />,
      async install() {
        await client.host.plugins.add({ source, approved: plan.sha256 });
        await settle();
      },
    };
  };
  const remove = async () => {
    const [author = "", name = ""] = leaving?.id.split("/") ?? [];
    await client.host.plugins.remove(author, name);
    await settle();
  };
  if (error && !data) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  return (
    <>
      <div className="flex gap-2">
        <Button look="primary" disabled={!isOwner} onClick={() => setAdding(true)}>
          {t("setup.addPlugin")}
        </Button>
        <Link to="/agents/new" className={buttonClass()}>
          {t("agent.new")}
        </Link>
      </div>
      {data.plugins.length === 0 && <EmptyNote title={t("agent.noRunners")}>{t("setup.noPluginsText")}</EmptyNote>}
      <ul className="flex flex-col gap-3">
        {data.plugins.map((plugin) => (
          <PluginCard key={plugin.id} {...{ plugin, isOwner }} onRemove={() => setLeaving(plugin)} />
        ))}
      </ul>
      <InstallDialog
        title={t("setup.addPlugin")}
        hint={t("setup.pluginSource")}
        isOpen={isAdding}
        onClose={() => setAdding(false)}
        look={look}
      />
      <Confirm
        title={t("setup.removeAsk", { name: leaving?.id ?? "" })}
        verb={t("setup.remove")}
        isDangerous
        isOpen={leaving !== null}
        onClose={() => setLeaving(null)}
        act={remove}
      >
        <p>{t("setup.removePluginText")}</p>
      </Confirm>
    </>
  );
}

function PlanFacts({ plan }: { plan: PluginInstallPlan }) {
  const { t, language } = useWords();
  const { description, installed, runners, warnings, sha256 } = plan;
  return (
    <>
      {description !== null && <p>{description}</p>}
      <p className="font-medium">{t("setup.processAsks")}</p>
      <AskedList asked={listPluginAsks(plan, t)} />
      {runners.map((runner) => (
        <div key={runner.id}>
          <p className="font-medium">
            {t("setup.runnerAsks", { name: pickText(runner.label, language) ?? runner.id })}
          </p>
          <AskedList asked={listRunnerAsks(runner, t)} />
        </div>
      ))}
      {installed !== null && <p>{t("setup.replaces", { version: installed })}</p>}
      {warnings.map((warning) => (
        <p key={warning} className="text-warn wrap-anywhere">
          {warning}
        </p>
      ))}
      <p className="text-soft text-xs">{t("setup.policyDecides")}</p>
      <p className="text-soft text-xs break-all">SHA-256 {sha256}</p>
    </>
  );
}
