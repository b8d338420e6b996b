/** A number with its noun: `1 file`, `2,000 files`. Every message that counts something uses it. */
export function countWord(count: number, word: string, plural = `${word}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? word : plural}`;
}
