import type { HttpTokenInfo } from "@drydock/protocol";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../data/client.ts";
import { tokensQuery } from "../../data/operations-queries.ts";
import { useIsOwner } from "../../data/use-is-owner.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { ErrorNote, Loading } from "../../parts/notes.tsx";
import { Section } from "../../parts/section.tsx";
import { useQuantities } from "../../words/quantities.ts";
import { useWords } from "../../words/words.ts";
import { NewToken } from "./new-token.tsx";

/** Who may use the server, and as what. */
export function AccessPart() {
  const { t } = useWords();
  const isOwner = useIsOwner();
  if (!isOwner) return <p className="text-sm text-soft">{t("owner.only")}</p>;
  return (
    <div className="flex flex-col gap-7">
      <Tokens />
      <NewToken />
    </div>
  );
}

function Tokens() {
  const { t } = useWords();
  const { time } = useQuantities();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(tokensQuery);
  const [leaving, setLeaving] = useState<HttpTokenInfo | null>(null);
  const revoke = async () => {
    if (leaving) await client.tokens.revoke(leaving.id);
    await queries.invalidateQueries({ queryKey: tokensQuery.queryKey });
  };
  if (error && !data) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  return (
    <Section title={t("access.tokens")}>
      <p className="mb-3 max-w-prose text-sm text-soft">{t("access.text")}</p>
      {data.tokens.length === 0 ? (
        <p className="rounded-xl border border-line bg-panel px-4 py-3 text-sm text-soft">{t("access.none")}</p>
      ) : (
        <ul className="divide-y divide-line rounded-xl border border-line bg-panel">
          {data.tokens.map((token) => (
            <li key={token.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 text-sm">
              <span className="min-w-0 font-medium wrap-anywhere">{token.name || token.id}</span>
              <span>{t(`scope.${token.scope}`)}</span>
              <code className="font-mono text-soft text-xs">{token.id}</code>
              <time dateTime={token.createdAt} className="tabular text-soft text-xs">
                {time(token.createdAt)}
              </time>
              <Button
                look="quiet"
                className="ml-auto"
                aria-label={`${t("access.revoke")}: ${token.name || token.id}`}
                onClick={() => setLeaving(token)}
              >
                {t("access.revoke")}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Confirm
        title={t("access.revokeAsk", { name: leaving?.name || leaving?.id || "" })}
        verb={t("access.revoke")}
        isDangerous
        isOpen={leaving !== null}
        onClose={() => setLeaving(null)}
        act={revoke}
      >
        <p>{t("access.revokeText")}</p>
      </Confirm>
    </Section>
  );
}
