import type { HostAgent } from "@drydock/protocol";
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useId } from "react";
import type { ChatIdentity } from "../../data/chat.ts";
import { routeQuery } from "../../data/host-queries.ts";
import { ErrorNote } from "../../parts/notes.tsx";
import { useWords } from "../../words/words.ts";

interface Props {
  agents: readonly HostAgent[];
  agent: string | null;
  onChoose(agent: string | null): void;
  identity: ChatIdentity;
  /** What is written so far: filters of bindings may depend on it. */
  draft: string;
}

/** Who gets the next message: the agent that is named, or the one that the bindings say, and why. */
export function Addressee({ agents, agent, onChoose, identity, draft }: Props) {
  const { t } = useWords();
  const id = useId();
  return (
    <div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm">
      <label htmlFor={id} className="text-soft">
        {t("chat.to")}
      </label>
      <select
        id={id}
        value={agent ?? ""}
        onChange={({ target }) => onChoose(target.value === "" ? null : target.value)}
        className="field min-w-44"
      >
        <option value="">{t("chat.bindings")}</option>
        {agents.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      {agent === null ? (
        <Route identity={identity} draft={draft} />
      ) : (
        <span className="text-soft text-xs">{t("chat.named")}</span>
      )}
    </div>
  );
}

function Route({ identity, draft }: Pick<Props, "identity" | "draft">) {
  const { t } = useWords();
  const text = useDeferredValue(draft);
  const event = {
    ...{ type: "message.received", conversation: { ...identity } },
    ...{ actor: { actor_type: "user", actor_id: "console" }, input: { text: text === "" ? "…" : text } },
  };
  const { data: route, error } = useQuery({ ...routeQuery(event), placeholderData: (before) => before });
  if (error) return <ErrorNote error={error} />;
  if (!route) return null;
  return (
    <details className="min-w-0 text-xs">
      <summary className={route.agent === null ? "text-warn" : "text-soft hover:text-ink"}>
        {route.agent === null ? t("chat.nobody") : t("chat.goesTo", { agent: route.agent })} · {t("chat.why")}
      </summary>
      <div className="mt-1.5 flex flex-col gap-1 text-soft wrap-anywhere">
        <p>{route.reason}</p>
        {route.others.length > 0 && (
          <ul className="list-disc pl-5">
            {route.others.map((other) => (
              <li key={other.id}>
                <code className="font-mono">{other.id}</code>: {other.reason}
              </li>
            ))}
          </ul>
        )}
      </div>
    </details>
  );
}
