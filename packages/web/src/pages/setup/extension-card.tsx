import type { ExtensionState, InstalledExtension } from "@drydock/protocol";
import { useState } from "react";
import { client } from "../../data/client.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorNote } from "../../parts/notes.tsx";
import type { Tone } from "../../parts/tone.ts";
import { useWords } from "../../words/words.ts";
import { AskedList } from "./asked-list.tsx";
import { listExtensionAsks } from "./list-asked.ts";
import { StateMark } from "./state-mark.tsx";

const TONES: Readonly<Record<ExtensionState, Tone>> = { enabled: "good", disabled: "calm", quarantined: "bad" };

interface Props {
  extension: InstalledExtension;
  isOwner: boolean;
  onRemove(): void;
  onChanged(): Promise<unknown>;
}

export function ExtensionCard({ extension, isOwner, onRemove, onChanged }: Props) {
  const { t } = useWords();
  const [error, setError] = useState<unknown>(null);
  const { manifest, commands, state, problem, source, builtIn } = extension;
  const { id, name, version, description } = manifest;
  const turn = async () => {
    setError(null);
    try {
      await (state === "enabled" ? client.extensions.disable(id) : client.extensions.enable(id));
      await onChanged();
    } catch (thrown) {
      setError(thrown);
    }
  };
  return (
    <li className="flex flex-col gap-2 rounded-xl border border-line bg-panel p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="font-semibold">{name}</h2>
        <span className="text-soft text-xs">{version}</span>
        <StateMark tone={TONES[state]}>{t(`extension.${state}`)}</StateMark>
        <div className="ml-auto flex gap-2">
          <Button disabled={!isOwner} aria-label={`${t(turnWord(state))}: ${name}`} onClick={turn}>
            {t(turnWord(state))}
          </Button>
          {!builtIn && (
            <Button look="quiet" disabled={!isOwner} aria-label={`${t("setup.remove")}: ${name}`} onClick={onRemove}>
              {t("setup.remove")}
            </Button>
          )}
        </div>
      </div>
      <p className="text-sm text-soft">{description}</p>
      {problem !== null && <p className="text-bad text-sm wrap-anywhere">{problem}</p>}
      {error !== null && <ErrorNote error={error} />}
      <details>
        <summary className="text-soft text-xs hover:text-ink">
          {t("setup.details", { count: commands.flatMap(({ actions }) => actions).length })}
        </summary>
        <div className="mt-2 grid gap-4 sm:grid-cols-2">
          <div>
            <h3 className="mb-1 font-medium text-sm">{t("setup.mayUse")}</h3>
            <AskedList asked={listExtensionAsks(manifest, t)} />
            <p className="mt-2 text-soft text-xs wrap-anywhere">{builtIn ? t("setup.builtIn") : source}</p>
          </div>
          <div>
            <h3 className="mb-1 font-medium text-sm">{t("setup.commands")}</h3>
            <ul className="flex flex-col gap-0.5 text-sm">
              {commands.flatMap((command) =>
                command.actions.map((action) => (
                  <li key={`${command.name} ${action.name}`}>
                    <code className="font-mono text-xs">{`/${command.name} ${action.name}`}</code>
                  </li>
                )),
              )}
            </ul>
          </div>
        </div>
      </details>
    </li>
  );
}

function turnWord(state: ExtensionState) {
  return state === "enabled" ? "setup.disable" : "setup.enable";
}
