/** A file's name as a prompt has it: one with line ends or other control characters could speak for us, and is written as JSON. */
export function nameFile(path: string): string {
  return /[\p{Cc}\u2028\u2029]/u.test(path) ? JSON.stringify(path) : path;
}
