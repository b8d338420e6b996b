import type { ComponentProps } from "react";
import { cx } from "./class-names.ts";

type Look = "plain" | "primary" | "danger" | "quiet";
const LOOKS: Readonly<Record<Look, string>> = {
  plain: "border border-line-strong bg-panel hover:bg-sunken",
  primary: "bg-accent text-accent-ink hover:brightness-110",
  danger: "border border-bad text-bad bg-panel hover:bg-bad-tint",
  quiet: "text-soft hover:bg-sunken hover:text-ink",
};

const BUTTON =
  "inline-flex h-8 shrink-0 items-center justify-center gap-1.5 rounded-md px-3 text-sm font-medium whitespace-nowrap select-none disabled:cursor-not-allowed disabled:opacity-50";

export function buttonClass(look: Look = "plain"): string {
  return cx(BUTTON, LOOKS[look]);
}

export function Button({ look = "plain", className, ...others }: ComponentProps<"button"> & { look?: Look }) {
  return <button type="button" className={cx(buttonClass(look), className)} {...others} />;
}
