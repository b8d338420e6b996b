/** The value in the middle; of an even number of values, the mean of the two in the middle. */
export function median(values) {
  if (values.length === 0) throw new RangeError("no values have no median");
  const sorted = [...values].sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
