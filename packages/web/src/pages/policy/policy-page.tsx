import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTitle } from "../../app/use-title.ts";
import { effectivePolicyQuery, homePolicyQuery } from "../../data/home-policy-queries.ts";
import { useIsOwner } from "../../data/use-is-owner.ts";
import { useMayRun } from "../../data/use-may-run.ts";
import { ErrorNote, Loading } from "../../parts/notes.tsx";
import { useWords } from "../../words/words.ts";
import { AskPolicy } from "./ask-policy.tsx";
import { PolicyEditor } from "./policy-editor.tsx";
import { PolicyRows } from "./policy-rows.tsx";

/** What runs may do: the owner's policy, what follows from it, and whether one thing would be allowed. */
export function PolicyPage() {
  const { t } = useWords();
  useTitle(t("nav.policy"));
  const isOwner = useIsOwner();
  return (
    <div className="mx-auto flex max-w-6xl flex-col gap-6 px-4 py-6 md:px-8">
      <div>
        <h1 className="font-semibold text-lg tracking-tight">{t("nav.policy")}</h1>
        <p className="mt-1 max-w-prose text-sm text-soft">{t("policy.text")}</p>
      </div>
      {isOwner ? <OwnersPolicy /> : <EffectivePolicy />}
    </div>
  );
}

function OwnersPolicy() {
  const { data, error, refetch } = useQuery(homePolicyQuery);
  const [draft, setDraft] = useState<string | null>(null);
  if (error && !data) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  return <PolicyEditor saved={data} draft={draft} onDraft={setDraft} />;
}

/** For those who may not see the owner's file: what follows from it. */
function EffectivePolicy() {
  const { t } = useWords();
  const { data, error } = useQuery(effectivePolicyQuery);
  const mayAsk = useMayRun();
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Loading />;
  return (
    <>
      <p className="text-sm text-soft">{t("policy.ownerOnly")}</p>
      {mayAsk && <AskPolicy text={null} />}
      <PolicyRows rows={data.rows} />
    </>
  );
}
