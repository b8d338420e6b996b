import { type ErrorInfo, KERNEL_LIMITS, type KernelLimit, type LimitName, type LimitSigns } from "@drydock/protocol";
import type { FailureContext } from "./failure-context.ts";

const ROWS = new Map(KERNEL_LIMITS.map((row) => [row.name, row]));

/** The limit that was reached where code meets one of these errors, exceptions or signals: of several, the lowest. */
export function findLimit(
  kind: keyof LimitSigns,
  met: readonly (string | undefined)[],
  { limits }: FailureContext,
): LimitName | undefined {
  const shown = KERNEL_LIMITS.filter(({ reached }) => reached.signs?.[kind]?.some((sign) => met.includes(sign)));
  const amount = ({ key, kernelFactor }: KernelLimit) => limits[key] * kernelFactor;
  return shown.sort((a, b) => amount(a) - amount(b))[0]?.name;
}

/** `value` is the limit that was reached; without it, the one in force. */
export function explainLimit(limit: LimitName, context: FailureContext, value?: number): ErrorInfo {
  const row = ROWS.get(limit);
  if (!row) throw new Error(`There is no limit of the name ${limit}.`);
  const { key, suffix, reached } = row;
  const amount = value ?? context.limits[key];
  const more = Math.ceil(amount * 2);
  const option = reached.flag ? `--${reached.flag} ${more}, or ` : "";
  return {
    code: `limit.${limit}`,
    message: reached.message.replace("{value}", `${amount}${suffix}`),
    hint:
      `${reached.advice} To ask for more: ${option}limits.${key}: ${more} in the request's policy. ` +
      `For every run: drydock policy set limits.${key} ${more}`,
    limit: key,
    value: amount,
  };
}
