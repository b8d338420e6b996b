import { useSearch } from "@tanstack/react-router";
import { useTitle } from "../../app/use-title.ts";
import { useIsOwner } from "../../data/use-is-owner.ts";
import { Tabs } from "../../parts/tabs.tsx";
import { useWords } from "../../words/words.ts";
import { ExtensionsPart } from "./extensions-part.tsx";
import { KnowledgePart } from "./knowledge-part.tsx";
import { PluginsPart } from "./plugins-part.tsx";
import { SETUP_TABS } from "./route.ts";
import { SourcesPart } from "./sources-part.tsx";
import { UpstreamsPart } from "./upstreams-part.tsx";

/** What agents and commands are made of, and where events come from. */
export function SetupPage() {
  const { t } = useWords();
  const { tab = "extensions" } = useSearch({ from: "/setup" });
  const isOwner = useIsOwner();
  useTitle(t(`setup.tab.${tab}`));
  return (
    <div className="mx-auto flex max-w-5xl flex-col px-4 pt-6 pb-10 md:px-8">
      <h1 className="mb-1 font-semibold text-lg tracking-tight">{t("nav.setup")}</h1>
      <Tabs
        label={t("setup.parts")}
        current={tab}
        tabs={SETUP_TABS.map((id) => ({
          id,
          label: t(`setup.tab.${id}`),
          link: { to: "/setup", search: id === "extensions" ? {} : { tab: id } },
        }))}
      />
      <div className="flex flex-col gap-4 pt-5">
        <p className="max-w-prose text-sm text-soft">
          {t(`setup.text.${tab}`)} {!isOwner && t("setup.ownerChanges")}
        </p>
        {tab === "extensions" && <ExtensionsPart isOwner={isOwner} />}
        {tab === "plugins" && <PluginsPart isOwner={isOwner} />}
        {tab === "sources" && <SourcesPart isOwner={isOwner} />}
        {tab === "knowledge" && <KnowledgePart isOwner={isOwner} />}
        {tab === "upstreams" && <UpstreamsPart isOwner={isOwner} />}
      </div>
    </div>
  );
}
