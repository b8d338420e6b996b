/** The least round number that is not below: the top of an axis that people can read. */
export function roundUp(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 2.5, 5, 10].find((each) => each * power >= value * (1 - 1e-9)) ?? 10;
  return step * power;
}

/** Where a value lies, from the top, in a plot of this height. */
export function placeValue(value: number, top: number, height: number): number {
  return height - (Math.max(0, Math.min(value, top)) / top) * height;
}

/** A line through the values; where one is missing it begins again. */
export function drawLine(
  values: readonly (number | null)[],
  toX: (index: number) => number,
  toY: (value: number) => number,
) {
  let isDown = false;
  return values
    .flatMap((value, index) => {
      if (value === null) {
        isDown = false;
        return [];
      }
      const command = `${isDown ? "L" : "M"}${toX(index).toFixed(1)} ${toY(value).toFixed(1)}`;
      isDown = true;
      return [command];
    })
    .join("");
}

/** Which of the values have no neighbour: a line can't show them. */
export function findLonely(values: readonly (number | null)[]): number[] {
  const isNone = (index: number) => (values[index] ?? null) === null;
  return values.flatMap((value, index) => (value !== null && isNone(index - 1) && isNone(index + 1) ? [index] : []));
}

export function formatOrDash(value: number | null, format: (value: number) => string): string {
  return value === null ? "–" : format(value);
}
