import { useSearch } from "@tanstack/react-router";
import { useTitle } from "../../app/use-title.ts";
import { Tabs } from "../../parts/tabs.tsx";
import { useWords } from "../../words/words.ts";
import { AccessPart } from "./access-part.tsx";
import { AuditPart } from "./audit-part.tsx";
import { NowPart } from "./now-part.tsx";
import { OPERATION_TABS } from "./route.ts";
import { StoragePart } from "./storage-part.tsx";

/** How the server stands, what happened lately, and what is kept. */
export function OperationsPage() {
  const { t } = useWords();
  const { tab = "now" } = useSearch({ from: "/operations" });
  useTitle(tab === "now" ? t("nav.operations") : `${t(`ops.tab.${tab}`)} · ${t("nav.operations")}`);
  return (
    <div className="mx-auto flex max-w-6xl flex-col px-4 pt-6 pb-10 md:px-8">
      <h1 className="mb-1 font-semibold text-lg tracking-tight">{t("nav.operations")}</h1>
      <Tabs
        label={t("ops.parts")}
        current={tab}
        tabs={OPERATION_TABS.map((id) => ({
          id,
          label: t(`ops.tab.${id}`),
          link: { to: "/operations", search: id === "now" ? {} : { tab: id } },
        }))}
      />
      <div className="pt-5">
        {tab === "now" && <NowPart />}
        {tab === "audit" && <AuditPart />}
        {tab === "storage" && <StoragePart />}
        {tab === "access" && <AccessPart />}
      </div>
    </div>
  );
}
