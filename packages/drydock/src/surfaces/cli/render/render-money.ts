/** Dollars: what costs less than one has more digits. */
export function renderMoney(usd: number): string {
  return `$${usd.toFixed(usd > 0 && usd < 1 ? 4 : 2)}`;
}
