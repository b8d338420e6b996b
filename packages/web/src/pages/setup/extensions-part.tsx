import type { InstalledExtension, InstallPlan } from "@drydock/protocol";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../data/client.ts";
import { extensionsQuery } from "../../data/setup-queries.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { ErrorNote, Loading } from "../../parts/notes.tsx";
import { useWords } from "../../words/words.ts";
import { AskedList } from "./asked-list.tsx";
import { ExtensionCard } from "./extension-card.tsx";
import { type Installable, InstallDialog } from "./install-dialog.tsx";
import { listExtensionAsks } from "./list-asked.ts";

/** Slash commands: what each may use, and whether it can be called. */
export function ExtensionsPart({ isOwner }: { isOwner: boolean }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(extensionsQuery);
  const [isAdding, setAdding] = useState(false);
  const [leaving, setLeaving] = useState<InstalledExtension | null>(null);
  const settle = () => queries.invalidateQueries({ queryKey: extensionsQuery.queryKey });
  const look = async (source: string): Promise<Installable> => {
    const answer = await client.extensions.add({ source });
    if (answer.outcome === "installed") throw new TypeError("It was installed without being shown.");
    const { plan } = answer;
    const { manifest, hash } = plan.extension;
    return {
      title: `${manifest.name} ${manifest.version}`,
      facts: <PlanFacts plan={plan} />,
      async install() {
        await client.extensions.add({ source, approved: hash });
        await settle();
      },
    };
  };
  const remove = async () => {
    if (leaving) await client.extensions.remove(leaving.manifest.id);
    await settle();
  };
  if (error && !data) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  return (
    <>
      <div>
        <Button look="primary" disabled={!isOwner} onClick={() => setAdding(true)}>
          {t("setup.addExtension")}
        </Button>
      </div>
      <ul className="flex flex-col gap-3">
        {data.extensions.map((extension) => (
          <ExtensionCard
            key={extension.manifest.id}
            {...{ extension, isOwner }}
            onRemove={() => setLeaving(extension)}
            onChanged={settle}
          />
        ))}
      </ul>
      <InstallDialog
        title={t("setup.addExtension")}
        hint={t("setup.extensionSource")}
        isOpen={isAdding}
        onClose={() => setAdding(false)}
        look={look}
      />
      <Confirm
        title={t("setup.removeAsk", { name: leaving?.manifest.name ?? "" })}
        verb={t("setup.remove")}
        isDangerous
        isOpen={leaving !== null}
        onClose={() => setLeaving(null)}
        act={remove}
      >
        <p>{t("setup.removeExtensionText")}</p>
      </Confirm>
    </>
  );
}

function PlanFacts({ plan: { extension, installed, added, warnings } }: { plan: InstallPlan }) {
  const { t } = useWords();
  return (
    <>
      <p>{extension.manifest.description}</p>
      <p className="font-medium">{t("setup.mayUse")}</p>
      <AskedList asked={listExtensionAsks(extension.manifest, t)} />
      {installed !== null && <p>{t("setup.replaces", { version: installed.manifest.version })}</p>}
      {installed !== null && added.length > 0 && (
        <div>
          <p className="font-medium text-warn">{t("setup.newRights")}</p>
          <ul className="list-disc pl-5">
            {added.map((line) => (
              <li key={line} className="wrap-anywhere">
                {line}
              </li>
            ))}
          </ul>
        </div>
      )}
      {warnings.map(({ file, field, message }) => (
        <p key={`${file} ${field} ${message}`} className="text-warn wrap-anywhere">{`${file}: ${message}`}</p>
      ))}
      <p className="text-soft text-xs break-all">SHA-256 {extension.hash}</p>
    </>
  );
}
