import type { HarnessPlan } from "@drydock/protocol";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { harnessQuery } from "../../data/agent-queries.ts";
import { client } from "../../data/client.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Icon } from "../../parts/icon.tsx";
import { ErrorNote } from "../../parts/notes.tsx";
import { useWords } from "../../words/words.ts";

/** Whether the owner has agreed that this agent works on this machine. It works only for exactly what was agreed to. */
export function HarnessSection({ name, isOwner }: { name: string; isOwner: boolean }) {
  const { t } = useWords();
  const { data: plan, error } = useQuery(harnessQuery(name));
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const settle = () => queries.invalidateQueries({ queryKey: ["host", "harness", name] });
  const enable = async () => {
    if (plan) await client.host.agents.enable(name, { hash: plan.hash });
    await settle();
  };
  const disable = async () => {
    await client.host.agents.disable(name);
    await settle();
  };
  return (
    <section aria-labelledby="harness" className="rounded-xl border border-line bg-panel p-4">
      <h2 id="harness" className="mb-2 font-semibold text-sm">
        {t("harness.title")}
      </h2>
      {error && <ErrorNote error={error} />}
      {plan && (
        <>
          <p className="flex gap-2 text-sm">
            <Icon
              name={plan.enabled ? "check" : "dash"}
              className={`mt-0.5 size-4 ${plan.enabled ? "text-good" : "text-warn"}`}
            />
            {t(plan.enabled ? "harness.on" : "harness.off")}
          </p>
          <div className="mt-3">
            {plan.enabled ? (
              <Button disabled={!isOwner} onClick={disable}>
                {t("harness.disable")}
              </Button>
            ) : (
              <Button look="primary" disabled={!isOwner} onClick={() => setAsking(true)}>
                {t("harness.review")}
              </Button>
            )}
          </div>
          <Confirm
            title={t("harness.ask", { name })}
            verb={t("harness.enable")}
            isOpen={isAsking}
            onClose={() => setAsking(false)}
            act={enable}
          >
            <Plan plan={plan} />
          </Confirm>
        </>
      )}
    </section>
  );
}

function Plan({ plan }: { plan: HarnessPlan }) {
  const { t } = useWords();
  const lists = [
    { word: "harness.hosts", entries: plan.hosts },
    { word: "harness.upstreams", entries: plan.upstreams },
    { word: "harness.variables", entries: plan.variables },
    { word: "harness.checks", entries: plan.checks },
    { word: "harness.tools", entries: plan.tools },
    { word: "harness.servers", entries: plan.mcpServers.map(({ name, at }) => `${name}: ${at}`) },
    { word: "harness.skills", entries: plan.skills.map(({ name, path }) => `${name}: ${path}`) },
  ] as const;
  return (
    <div className="flex max-h-[50dvh] flex-col gap-4 overflow-y-auto text-ink">
      {plan.risks.length > 0 && (
        <ul className="list-disc rounded-lg border border-warn bg-warn-tint py-2 pr-3 pl-8 text-sm">
          {plan.risks.map((risk) => (
            <li key={risk} className="wrap-anywhere">
              {risk}
            </li>
          ))}
        </ul>
      )}
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5">
        <Fact name={t("harness.command")}>{plan.command.join(" ")}</Fact>
        <Fact name={t("harness.directory")}>{plan.directory}</Fact>
        <Fact name={t("harness.permissions")}>{t(`harness.permission.${plan.permissions}`)}</Fact>
        <Fact name={t("harness.deliver")}>{t(`harness.deliver.${plan.deliver}`)}</Fact>
        {lists.map(({ word, entries }) => (
          <Fact key={word} name={t(word)}>
            {entries.length === 0 ? t("harness.none") : entries.join(", ")}
          </Fact>
        ))}
      </dl>
      <p className="text-soft text-xs">{t("harness.exactly")}</p>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0 font-mono text-xs leading-5 wrap-anywhere">{children}</dd>
    </>
  );
}
