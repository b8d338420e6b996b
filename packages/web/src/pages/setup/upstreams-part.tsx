import type { TestedUpstream, UpstreamInfo } from "@drydock/protocol";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../data/client.ts";
import { upstreamsQuery } from "../../data/setup-queries.ts";
import { Button } from "../../parts/button.tsx";
import { EmptyNote, ErrorNote, Loading } from "../../parts/notes.tsx";
import { useQuantities } from "../../words/quantities.ts";
import { useWords } from "../../words/words.ts";
import { StateMark } from "./state-mark.tsx";

/** Servers that runs use without their keys. Where keys are sent is decided at the machine. */
export function UpstreamsPart({ isOwner }: { isOwner: boolean }) {
  const { t } = useWords();
  const { data, error, refetch } = useQuery(upstreamsQuery);
  if (error && !data) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  return (
    <>
      {data.upstreams.length === 0 && (
        <EmptyNote title={t("upstream.none")}>
          <p>{t("upstream.noneText")}</p>
        </EmptyNote>
      )}
      <ul className="flex flex-col gap-3">
        {data.upstreams.map((upstream) => (
          <UpstreamCard key={upstream.name} {...{ upstream, isOwner }} />
        ))}
      </ul>
      <p className="text-soft text-xs">
        {t("upstream.add")} <code className="font-mono">drydock upstream add anthropic</code>
      </p>
    </>
  );
}

function UpstreamCard({ upstream, isOwner }: { upstream: UpstreamInfo; isOwner: boolean }) {
  const { t } = useWords();
  const { duration } = useQuantities();
  const [tested, setTested] = useState<TestedUpstream | null>(null);
  const [error, setError] = useState<unknown>(null);
  const { name, baseUrl, address, keySource, hasKey, allow, allowed, problem } = upstream;
  const test = async () => {
    setError(null);
    try {
      setTested(await client.upstreams.test(name));
    } catch (thrown) {
      setError(thrown);
    }
  };
  return (
    <li className="flex flex-col gap-2 rounded-xl border border-line bg-panel p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="font-semibold">{name}</h2>
        <StateMark tone={hasKey ? "good" : "bad"}>{t(hasKey ? "upstream.key" : "upstream.noKey")}</StateMark>
        <StateMark tone={allowed ? "good" : "calm"}>
          {t(allowed ? "upstream.allowed" : "upstream.notAllowed")}
        </StateMark>
        <Button className="ml-auto" disabled={!isOwner} aria-label={`${t("source.try")}: ${name}`} onClick={test}>
          {t("source.try")}
        </Button>
      </div>
      <p className="text-sm wrap-anywhere">
        <code className="font-mono text-xs">{address}</code> → <code className="font-mono text-xs">{baseUrl}</code>
      </p>
      {keySource !== null && <p className="text-soft text-xs">{keySource}</p>}
      {problem !== null && <p className="text-bad text-sm wrap-anywhere">{problem}</p>}
      <ul className="flex flex-wrap gap-1.5">
        {allow.map((rule) => (
          <li key={rule} className="rounded bg-sunken px-1.5 font-mono text-2xs wrap-anywhere">
            {rule}
          </li>
        ))}
      </ul>
      <div role="status" className="text-sm">
        {tested && (
          <p className={tested.ok ? "text-good" : "text-bad"}>
            {tested.problem ?? t("upstream.answered", { time: duration(tested.durationMs) })}
          </p>
        )}
      </div>
      {error !== null && <ErrorNote error={error} />}
    </li>
  );
}
