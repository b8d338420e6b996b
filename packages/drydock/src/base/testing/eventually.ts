/** Waits until `condition` holds, for at most `withinMs`; what it gives back is whether it does. */
export async function eventually(condition: () => boolean | Promise<boolean>, withinMs = 20_000): Promise<boolean> {
  const end = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}
