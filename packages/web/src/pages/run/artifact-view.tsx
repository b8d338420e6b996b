import type { ArtifactRef } from "@drydock/protocol";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { artifactTextQuery } from "../../data/queries.ts";
import { Button, buttonClass } from "../../parts/button.tsx";
import { Icon } from "../../parts/icon.tsx";
import { JsonView } from "../../parts/json-view.tsx";
import { ErrorNote, Loading } from "../../parts/notes.tsx";
import { ScrollArea } from "../../parts/scroll-area.tsx";
import { TerminalText } from "../../parts/terminal-text.tsx";
import { useQuantities } from "../../words/quantities.ts";
import { useWords } from "../../words/words.ts";
import { parseTable } from "./parse-table.ts";

const INLINE_BYTES = 256 * 1024;
const MOST_ROWS = 200;
/** A picture can't run anything here: as an image, even SVG has neither scripts nor addresses of elsewhere. */
const PICTURES = /^image\/(png|jpeg|gif|webp|svg\+xml|avif|bmp)$/;
const TEXTS = /^(text\/|application\/(json|x-ndjson|xml|yaml|toml|javascript))/;

/** A file that a run left, as what it is. Pages and programs are shown as their text: nothing in them happens. */
export function ArtifactView({ artifact }: { artifact: ArtifactRef }) {
  const { t } = useWords();
  const { bytes } = useQuantities();
  const { id, name, mime, size } = artifact;
  const address = `/artifacts/${encodeURIComponent(id)}`;
  return (
    <figure className="overflow-hidden rounded-xl border border-line bg-panel">
      <figcaption className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-b bg-sunken px-3 py-1.5 text-sm">
        <Icon name="file" className="size-4 text-soft" />
        <span className="min-w-0 font-mono text-xs wrap-anywhere">{name}</span>
        <span className="text-soft text-xs">
          {mime} · {bytes(size)}
        </span>
        <a href={address} download className={`${buttonClass("quiet")} ml-auto`}>
          <Icon name="download" />
          {t("file.download")}
        </a>
      </figcaption>
      <Content artifact={artifact} address={address} />
    </figure>
  );
}

function Content({ artifact, address }: { artifact: ArtifactRef; address: string }) {
  const { t } = useWords();
  const { name, mime, size } = artifact;
  if (PICTURES.test(mime)) {
    return (
      <div className="bg-[repeating-conic-gradient(#eee_0_25%,#fff_0_50%)] bg-[length:16px_16px] p-3">
        <img src={address} alt={name} loading="lazy" className="mx-auto max-h-[28rem] max-w-full" />
      </div>
    );
  }
  if (TEXTS.test(mime)) return <Text artifact={artifact} />;
  return <p className="px-3 py-4 text-sm text-soft">{t("file.binary", { size })}</p>;
}

function Text({ artifact: { id, name, mime, size } }: { artifact: ArtifactRef }) {
  const { t } = useWords();
  const isLarge = size > INLINE_BYTES;
  const [isWanted, setWanted] = useState(size <= INLINE_BYTES / 8);
  const { data, error } = useQuery({ ...artifactTextQuery(id, Math.min(size, INLINE_BYTES)), enabled: isWanted });
  if (!isWanted) {
    return (
      <div className="p-3">
        <Button onClick={() => setWanted(true)}>{t("file.show")}</Button>
      </div>
    );
  }
  if (error) return <ErrorNote error={error} />;
  if (data === undefined) return <Loading />;
  const separator = mime === "text/csv" ? "," : mime === "text/tab-separated-values" ? "\t" : null;
  const json = mime === "application/json" && !isLarge ? readJson(data) : undefined;
  return (
    <>
      {separator !== null ? (
        <Table rows={parseTable(data, separator, MOST_ROWS)} label={name} />
      ) : json === undefined ? (
        <TerminalText text={data} label={name} className="max-h-96 rounded-none border-0" />
      ) : (
        <div className="max-h-96 overflow-auto p-3 font-mono text-xs">
          <JsonView value={json} />
        </div>
      )}
      {isLarge && <p className="border-line border-t px-3 py-2 text-soft text-xs">{t("output.cut")}</p>}
    </>
  );
}

function Table({ rows: [head = [], ...rows], label }: { rows: readonly (readonly string[])[]; label: string }) {
  return (
    <ScrollArea label={label} className="max-h-96 overflow-auto">
      <table className="tabular w-full border-collapse text-xs">
        <thead className="sticky top-0 bg-sunken">
          <tr>
            {head.map((cell, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns may have one name.
              <th key={at} scope="col" className="border-line border-b px-3 py-1.5 text-left font-medium">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no names.
            <tr key={at} className="even:bg-sunken">
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells have no names.
                <td key={column} className="px-3 py-1 wrap-anywhere">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
