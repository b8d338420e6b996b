/** Dollars: what costs less than one has more digits. */
export function renderMoney(usd: number): string {
  if (usd > 0 && usd < 0.0001) return "<$0.0001";
  return `$${usd.toFixed(usd > 0 && usd < 1 ? 4 : 2)}`;
}
