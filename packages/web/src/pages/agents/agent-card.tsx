import type { Binding, HostAgent, PluginInfo } from "@drydock/protocol";
import { Link } from "@tanstack/react-router";
import { Button, buttonClass } from "../../parts/button.tsx";
import { JsonView } from "../../parts/json-view.tsx";
import { useWords } from "../../words/words.ts";
import { listRights } from "./list-rights.ts";

interface Props {
  agent: HostAgent;
  bindings: readonly Binding[];
  /** Null where the plugin of its runner is not installed. */
  plugin: PluginInfo | null;
  onUnbind(binding: Binding): void;
}

export function AgentCard({ agent, bindings, plugin, onUnbind }: Props) {
  const { t } = useWords();
  const { name, runner, grants, config } = agent;
  const problem = plugin === null ? t("agents.noRunner") : (plugin.problem ?? plugin.process?.problem ?? null);
  return (
    <li className="flex flex-col gap-4 rounded-xl border border-line bg-panel p-4">
      <div className="flex items-start gap-3">
        <div className="min-w-0">
          <h2 className="font-semibold">
            <Link to="/agents/of/$name" params={{ name }} className="hover:underline">
              {name}
            </Link>
          </h2>
          <p className="font-mono text-soft text-xs wrap-anywhere">{runner}</p>
        </div>
        <div className="ml-auto flex gap-2">
          <Link
            to="/agents/of/$name"
            params={{ name }}
            aria-label={`${t("agent.edit")}: ${name}`}
            className={buttonClass()}
          >
            {t("agent.edit")}
          </Link>
          <Link to="/chat/$id" params={{ id: "new" }} search={{ agent: name }} className={buttonClass()}>
            {t("nav.chat")}
          </Link>
        </div>
      </div>
      {problem !== null && <p className="text-sm text-bad wrap-anywhere">{problem}</p>}
      <div>
        <h3 className="mb-1 font-medium text-sm">{t("agents.may")}</h3>
        <ul className="list-disc pl-5 text-sm">
          {listRights(grants).map(({ word, names }) => (
            <li key={word}>
              {t(word)}{" "}
              {names.length > 0 && <code className="font-mono text-xs wrap-anywhere">{names.join(", ")}</code>}
            </li>
          ))}
        </ul>
      </div>
      <div>
        <h3 className="mb-1 font-medium text-sm">{t("agents.gets")}</h3>
        {bindings.length === 0 && <p className="text-sm text-soft">{t("agents.getsNothing")}</p>}
        <ul className="flex flex-col gap-1">
          {bindings.map((binding) => (
            <li key={binding.id} className="flex items-center gap-2 text-sm">
              <code className="font-mono text-xs">{binding.event}</code>
              <span className="min-w-0 text-soft wrap-anywhere">
                {[binding.scope, binding.value, binding.filters.length > 0 && t("agents.filtered")]
                  .filter(Boolean)
                  .join(" · ")}
              </span>
              <Button look="quiet" className="ml-auto" onClick={() => onUnbind(binding)}>
                {t("agents.unbind")}
              </Button>
            </li>
          ))}
        </ul>
      </div>
      {Object.keys(config).length > 0 && (
        <div className="font-mono text-xs">
          <JsonView name={t("agents.settings")} value={config} depth={2} />
        </div>
      )}
    </li>
  );
}
