import type { PluginInfo } from "@drydock/protocol";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { pluginLogQuery } from "../../data/setup-queries.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorNote } from "../../parts/notes.tsx";
import { TerminalText } from "../../parts/terminal-text.tsx";
import type { Tone } from "../../parts/tone.ts";
import { useWords } from "../../words/words.ts";
import { AskedList } from "./asked-list.tsx";
import { listPluginAsks } from "./list-asked.ts";
import { StateMark } from "./state-mark.tsx";

interface Props {
  plugin: PluginInfo;
  isOwner: boolean;
  onRemove(): void;
}

/** A plugin, its process as it is at this moment, and what that has written. */
export function PluginCard({ plugin, isOwner, onRemove }: Props) {
  const { t } = useWords();
  const [isOpen, setOpen] = useState(false);
  const { id, version, description, origin, process } = plugin;
  const problem = plugin.problem ?? process?.problem ?? null;
  return (
    <li className="flex flex-col gap-2 rounded-xl border border-line bg-panel p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="font-semibold">{id}</h2>
        <span className="text-soft text-xs">{version}</span>
        <StateMark tone={toneOf(plugin)}>
          {plugin.problem !== null
            ? t("plugin.broken")
            : process === null
              ? t("process.idle")
              : t(`process.${process.state}`)}
        </StateMark>
        {process !== null && process.openRuns > 0 && (
          <span className="text-soft text-xs">{t("agents.open", { count: process.openRuns })}</span>
        )}
        <span className="ml-auto text-soft text-xs">{t(`plugin.${origin}`)}</span>
        {origin === "installed" && (
          <Button look="quiet" disabled={!isOwner} aria-label={`${t("setup.remove")}: ${id}`} onClick={onRemove}>
            {t("setup.remove")}
          </Button>
        )}
      </div>
      {description !== null && <p className="text-sm text-soft">{description}</p>}
      {problem !== null && <p className="text-bad text-sm wrap-anywhere">{problem}</p>}
      <AskedList asked={listPluginAsks(plugin, t)} />
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="text-soft text-xs hover:text-ink">
          {t("plugin.log")}
          <span className="sr-only">: {id}</span>
        </summary>
        {isOpen && <PluginLog id={id} />}
      </details>
    </li>
  );
}

function toneOf({ problem, process }: PluginInfo): Tone {
  if (problem !== null || process?.state === "waiting") return "bad";
  if (process?.state === "starting") return "live";
  return process === null ? "calm" : "good";
}

function PluginLog({ id }: { id: string }) {
  const { t } = useWords();
  const { data, error } = useQuery(pluginLogQuery(id));
  if (error) return <ErrorNote error={error} />;
  if (!data) return null;
  if (data.text === "") return <p className="mt-2 text-soft text-xs">{t("plugin.noLog")}</p>;
  return <TerminalText label={`${t("plugin.log")}: ${id}`} text={data.text} className="mt-2 max-h-80" />;
}
