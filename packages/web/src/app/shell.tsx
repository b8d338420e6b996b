import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useConnection } from "../data/connection.ts";
import { cx } from "../parts/class-names.ts";
import { Icon } from "../parts/icon.tsx";
import { useWords } from "../words/words.ts";
import { NAVIGATION } from "./navigation.ts";
import { Palette } from "./palette.tsx";
import { SideFoot } from "./side-foot.tsx";
import { useKeys } from "./use-keys.ts";

/** What is around every page: the side, the palette, and whether the server answers. */
export function Shell() {
  const { t } = useWords();
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  useKeys({ "mod+k": () => setPaletteOpen((isOpen) => !isOpen) });
  const first = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page is read from its beginning.
  useEffect(() => {
    if (!first.current) main.current?.focus({ preventScroll: true });
    first.current = false;
    main.current?.scrollTo(0, 0);
  }, [pathname]);
  if (pathname === "/sign-in") return <Outlet />;
  return (
    <div className="grid h-dvh grid-rows-[auto_minmax(0,1fr)] md:grid-cols-[13.5rem_minmax(0,1fr)] md:grid-rows-1">
      <a
        href="#content"
        className="absolute -top-20 left-2 z-20 rounded bg-accent px-3 py-2 text-accent-ink focus:top-2"
      >
        {t("nav.skip")}
      </a>
      <Side onSearch={() => setPaletteOpen(true)} />
      <main ref={main} id="content" tabIndex={-1} className="relative min-h-0 min-w-0 overflow-y-auto outline-none">
        <ConnectionBar />
        <Outlet />
      </main>
      <Palette isOpen={isPaletteOpen} onClose={() => setPaletteOpen(false)} />
    </div>
  );
}

function Side({ onSearch }: { onSearch(): void }) {
  const { t } = useWords();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <header className="flex min-h-0 flex-col border-line border-b md:border-r md:border-b-0">
      <div className="flex h-12 items-center gap-2 px-3">
        <Link to="/" onClick={close} className="flex items-center gap-2 px-1 font-semibold tracking-tight">
          <img src="/console/icon.svg" alt="" className="size-5" />
          Drydock
        </Link>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={t("nav.menu")}
          onClick={() => setOpen(!isOpen)}
          className="ml-auto grid size-9 place-items-center rounded-md text-soft hover:bg-sunken md:hidden"
        >
          <Icon name={isOpen ? "cross" : "menu"} />
        </button>
      </div>
      <div className={cx("min-h-0 flex-1 flex-col overflow-y-auto px-2 pb-2 md:flex", isOpen ? "flex" : "hidden")}>
        <button
          type="button"
          onClick={() => {
            close();
            onSearch();
          }}
          className="mx-1 mb-3 flex h-8 items-center gap-2 rounded-md border border-line-strong bg-panel px-2 text-left text-soft text-sm whitespace-nowrap hover:bg-sunken"
        >
          <Icon name="search" />
          {t("nav.search")}
          <kbd className="key ml-auto">{navigator.platform.startsWith("Mac") ? "⌘K" : "Ctrl K"}</kbd>
        </button>
        <nav aria-label={t("nav.label")}>
          <ul className="flex flex-col gap-0.5">
            {NAVIGATION.map(({ to, icon, word }) => (
              <li key={to}>
                <Link
                  to={to}
                  onClick={close}
                  activeOptions={{ exact: to === "/" }}
                  className="flex h-8 items-center gap-2 rounded-md px-2.5 text-sm text-soft hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-tint aria-[current=page]:font-medium aria-[current=page]:text-accent"
                >
                  <Icon name={icon} />
                  {t(word)}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <SideFoot />
      </div>
    </header>
  );
}

function ConnectionBar() {
  const { t } = useWords();
  const connection = useConnection();
  return (
    <div role="status" aria-live="polite">
      {connection === "waiting" && (
        <p className="flex items-center gap-2 border-line border-b bg-warn-tint px-4 py-1.5 text-sm text-warn">
          <Icon name="dot" className="pulse size-4" />
          {t("connection.waiting")}
        </p>
      )}
    </div>
  );
}
