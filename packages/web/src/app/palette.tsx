import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useId, useMemo, useRef, useState } from "react";
import { newestRunsQuery } from "../data/queries.ts";
import { cx } from "../parts/class-names.ts";
import { Icon, type IconName } from "../parts/icon.tsx";
import { isLanguage, LANGUAGES } from "../words/languages.ts";
import { chooseAndKeep, useWords } from "../words/words.ts";
import { NAVIGATION } from "./navigation.ts";
import { setTheme, THEMES } from "./preferences.ts";

interface Command {
  id: string;
  icon: IconName;
  label: string;
  act(): void;
}

const MOST_RUNS = 8;

/** Everything by its name: pages, runs by words in them, theme and language. */
export function Palette({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const element = useRef<HTMLDialogElement>(null);
  const { t } = useWords();
  useEffect(() => {
    if (isOpen) element.current?.showModal();
    else element.current?.close();
  }, [isOpen]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it; the click is on what is behind it.
    <dialog
      ref={element}
      aria-label={t("palette.label")}
      onClose={onClose}
      onClick={(event) => event.target === element.current && onClose()}
      className="mt-[12vh] w-[min(36rem,calc(100vw-2rem))] overflow-hidden rounded-xl border border-line bg-raised p-0 shadow-(--shadow)"
    >
      {isOpen && <Commands onClose={onClose} />}
    </dialog>
  );
}

function Commands({ onClose }: { onClose(): void }) {
  const { t } = useWords();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const list = useId();
  const commands = useCommands(text);
  const chosen = commands[Math.min(at, commands.length - 1)];
  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.act();
  };
  const move = (step: number) => setAt((commands.length + Math.min(at, commands.length - 1) + step) % commands.length);
  return (
    <>
      <div className="flex items-center gap-2 border-line border-b px-4">
        <Icon name="search" className="size-4 text-soft" />
        <input
          // biome-ignore lint/a11y/noAutofocus: the dialog was opened to type into it.
          autoFocus
          role="combobox"
          aria-expanded="true"
          aria-controls={list}
          aria-activedescendant={chosen && `${list}-${chosen.id}`}
          aria-label={t("palette.label")}
          placeholder={t("palette.hint")}
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setAt(0);
          }}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return;
            if (event.key === "ArrowDown") move(1);
            else if (event.key === "ArrowUp") move(-1);
            else if (event.key === "Enter") run(chosen);
            else return;
            event.preventDefault();
          }}
          className="h-12 w-full bg-transparent text-base outline-none placeholder:text-soft"
        />
      </div>
      <div id={list} role="listbox" aria-label={t("palette.label")} className="max-h-80 overflow-y-auto p-1.5">
        {commands.map((command) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are those of the input.
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input, which names the chosen option.
          <div
            key={command.id}
            id={`${list}-${command.id}`}
            role="option"
            aria-selected={command === chosen}
            onClick={() => run(command)}
            className={cx(
              "flex h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 text-sm",
              command === chosen ? "bg-accent-tint text-accent" : "hover:bg-sunken",
            )}
          >
            <Icon name={command.icon} />
            <span className="truncate">{command.label}</span>
          </div>
        ))}
      </div>
      {commands.length === 0 && <p className="px-4 pb-5 text-center text-sm text-soft">{t("palette.none")}</p>}
    </>
  );
}

function useCommands(text: string): Command[] {
  const { t } = useWords();
  const navigate = useNavigate();
  const words = text.trim();
  const { data } = useQuery({ ...newestRunsQuery({ text: words }), enabled: words.length > 1 });
  return useMemo(() => {
    const runs = (words.length > 1 ? (data?.runs ?? []) : []).slice(0, MOST_RUNS).map(
      ({ id, title }): Command => ({
        ...{ id, icon: "runs", label: title || id },
        act: () => void navigate({ to: "/runs/$id", params: { id } }),
      }),
    );
    const own: Command[] = [
      ...NAVIGATION.map(({ to, icon, word }) => ({
        ...{ id: `go-${to}`, icon, label: t(word) },
        act: () => void navigate({ to }),
      })),
      ...THEMES.map((theme) => ({
        ...{ id: `theme-${theme}`, icon: "sun" as const, label: `${t("foot.theme")}: ${t(`theme.${theme}`)}` },
        act: () => setTheme(theme),
      })),
      ...Object.entries(LANGUAGES).map(([language, name]) => ({
        ...{ id: `language-${language}`, icon: "globe" as const, label: `${t("foot.language")}: ${name}` },
        act: () => void (isLanguage(language) && chooseAndKeep(language)),
      })),
    ];
    const wanted = words.toLowerCase();
    return [...own.filter(({ label }) => label.toLowerCase().includes(wanted)), ...runs];
  }, [t, navigate, words, data]);
}
