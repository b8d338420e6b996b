import { expect, it } from "vitest";
import { isTestProgram } from "./test-programs.ts";

it.each([
  "int main(void) { assert(add(2, 3) == 5); return 0; }",
  "int main() {\n  if (add(2, 3) != 5) return 1;\n}",
  'int main(void) { check(greet(name), "hello"); }',
  "int main(void) { return add(2, 3) == 5 ? 0 : 1; }",
  "fn main() { assert_eq!(add(&list), 5); }",
])("a program that tries out others: %s", (text) => {
  expect(isTestProgram(text)).toBe(true);
});

it.each([
  "int add(int a, int b) { assert(size(a) == 3); return a + b; }",
  "int main(int argc, char **argv) { assert(count(argv) == 2); }",
  'int main(void) { printf("%d\\n", VALUE); return 0; }',
  "int main(void) { assert(pthread_create(&t, NULL, run, NULL) == 0); }",
  "int main(void) { if (fread(buffer, 1, 4, file) != 4) return 1; }",
  'int main(void) { puts("hello"); return 0; }',
])("a program that does its work: %s", (text) => {
  expect(isTestProgram(text)).toBe(false);
});
