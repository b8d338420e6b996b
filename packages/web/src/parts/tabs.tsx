import { Link, type LinkProps } from "@tanstack/react-router";
import { cx } from "./class-names.ts";

interface Props {
  /** What the parts are parts of, for those who do not see them. */
  label: string;
  tabs: readonly { id: string; label: string; link: Pick<LinkProps, "to" | "params" | "search"> }[];
  /** The id of the one that is shown. */
  current: string;
}

/** The parts of a page. Each has an address of its own. */
export function Tabs({ label, tabs, current }: Props) {
  return (
    <nav aria-label={label} className="-mx-4 overflow-x-auto border-line border-b px-4 md:mx-0 md:px-0">
      <ul className="flex gap-5">
        {tabs.map(({ id, label: name, link }) => (
          <li key={id}>
            <Link
              {...link}
              replace
              aria-current={id === current ? "page" : undefined}
              className={cx(
                "flex h-10 items-center border-b-2 text-sm whitespace-nowrap",
                id === current ? "border-accent font-medium text-ink" : "border-transparent text-soft hover:text-ink",
              )}
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
