import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo } from "react";
import { policyCheckQuery, policyQuery } from "../../data/policy-queries.ts";
import { cx } from "../../parts/class-names.ts";
import { ErrorNote, Loading } from "../../parts/notes.tsx";
import { useQuantities } from "../../words/quantities.ts";
import { useWords } from "../../words/words.ts";
import { describePolicy, type Permission } from "./describe-policy.ts";
import { type RunDraft, toPolicy } from "./run-draft.ts";

/** Longer lists are folded. */
const SHORT = 4;

/** What the run may touch, in plain words, with where each answer comes from. */
export function PolicyPreview({ draft }: { draft: RunDraft }) {
  const { t } = useWords();
  const { duration, bytes } = useQuantities();
  const path = useDeferredValue(draft.workspace.trim());
  const workspace = path.startsWith("/") ? path : "";
  const asked = toPolicy(useDeferredValue(draft));
  const { data, error } = useQuery(policyQuery(workspace));
  const checked = useQuery({ ...policyCheckQuery(workspace, asked ?? {}), enabled: asked !== null });
  const refusal = asked === null ? null : (checked.error ?? checked.data?.error ?? null);
  const effective = asked === null || refusal !== null ? null : (checked.data?.effective ?? null);
  const permissions = useMemo(
    () =>
      describePolicy(data?.rows ?? [], effective, {
        seconds: (value) => duration(value * 1000),
        megabytes: (value) => bytes(value * 1024 ** 2),
      }),
    [data, effective, duration, bytes],
  );
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Loading />;
  return (
    <div className="flex flex-col gap-3">
      {refusal !== null && <ErrorNote error={refusal} />}
      <dl className="overflow-hidden rounded-xl border border-line bg-panel">
        {permissions.map((permission) => (
          <Row key={permission.key} permission={permission} />
        ))}
      </dl>
      <p className="text-soft text-xs">{t("touch.always")}</p>
    </div>
  );
}

function Row({ permission }: { permission: Permission }) {
  const { t } = useWords();
  const { label, sentence, values, ceiling, isRisky, source, where } = permission;
  return (
    <div className="grid gap-x-4 gap-y-0.5 border-line px-3.5 py-2.5 text-sm not-last:border-b sm:grid-cols-[9.5rem_minmax(0,1fr)]">
      <dt className="text-soft">{t(label)}</dt>
      <dd className="min-w-0">
        {sentence !== null ? (
          <span className={cx(isRisky && "text-warn")}>{t(sentence)}</span>
        ) : (
          <Values values={values} isRisky={isRisky} />
        )}
        <span className="block text-soft text-xs">
          <Origin source={source} where={where} />
          {ceiling !== null && ceiling.length <= 1 && ceiling.length > 0 && (
            <> · {t("touch.ceiling", { value: ceiling.join(", ") })}</>
          )}
        </span>
      </dd>
    </div>
  );
}

function Values({ values, isRisky }: { values: readonly string[]; isRisky: boolean }) {
  const { t } = useWords();
  const list = (
    <code className={cx("font-mono text-xs wrap-anywhere", isRisky && "text-warn")}>{values.join("  ")}</code>
  );
  if (values.length <= SHORT) return list;
  return (
    <details>
      <summary className="hover:text-accent">{t("touch.patterns", { count: values.length })}</summary>
      {list}
    </details>
  );
}

function Origin({ source, where }: { source: Permission["source"]; where: string }) {
  const { t } = useWords();
  const file = where.split("/").at(-1) ?? "";
  return (
    <>
      {t(`origin.${source}`)}
      {file !== "" && (
        <>
          {" "}
          <code title={where} className="font-mono">
            {file}
          </code>
        </>
      )}
    </>
  );
}
