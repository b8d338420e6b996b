import type { DoctorFinding } from "@drydock/protocol";
import { useQuery } from "@tanstack/react-query";
import { doctorQuery } from "../../data/operations-queries.ts";
import { Button } from "../../parts/button.tsx";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { ErrorNote } from "../../parts/notes.tsx";
import { Section } from "../../parts/section.tsx";
import { useQuantities } from "../../words/quantities.ts";
import { useWords } from "../../words/words.ts";

const LOOKS: Readonly<Record<DoctorFinding["state"], { icon: IconName; color: string }>> = {
  ok: { icon: "check", color: "text-good" },
  limited: { icon: "question", color: "text-warn" },
  missing: { icon: "cross", color: "text-bad" },
};

/** What this machine and this home can do, tried for real when somebody asks. */
export function HealthSection() {
  const { t } = useWords();
  const { duration } = useQuantities();
  const { data, error, isFetching, refetch } = useQuery(doctorQuery);
  return (
    <Section
      title={t("ops.health")}
      aside={
        <Button className="ml-auto" disabled={isFetching} onClick={() => void refetch()}>
          {t(isFetching ? "ops.examining" : "ops.examine")}
        </Button>
      }
    >
      <div role="status" className="rounded-xl border border-line bg-panel px-4 py-3 text-sm">
        {!data && <p className="text-soft">{t("ops.healthText")}</p>}
        {data && (
          <>
            <p className={`mb-2 font-medium ${data.ok ? "text-good" : "text-bad"}`}>
              {t(data.ok ? "ops.healthy" : "ops.unhealthy")} <span className="font-normal text-soft">{data.level}</span>
            </p>
            <ul className="flex flex-col gap-1.5">
              {data.findings.map(({ name, state, detail, remedy }) => (
                <li key={name} className="flex gap-2">
                  <Icon name={LOOKS[state].icon} className={`mt-0.5 size-4 ${LOOKS[state].color}`} />
                  <div className="min-w-0 wrap-anywhere">
                    <span className="font-medium">{name}</span> <span className="sr-only">{t(`finding.${state}`)}</span>
                    <span className="text-soft">{detail}</span>
                    {remedy !== undefined && <p className="text-xs">{remedy}</p>}
                  </div>
                </li>
              ))}
            </ul>
            {data.timings.length > 0 && (
              <p className="mt-3 text-soft text-xs">
                {data.timings
                  .map(({ name, bareMs, dockMs }) =>
                    t("ops.timing", { name, dock: duration(dockMs), bare: duration(bareMs) }),
                  )
                  .join(" ")}
              </p>
            )}
          </>
        )}
      </div>
      {error && (
        <div className="mt-3">
          <ErrorNote error={error} />
        </div>
      )}
    </Section>
  );
}
