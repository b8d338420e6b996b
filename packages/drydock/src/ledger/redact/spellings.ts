/** The value itself, as JSON and as a URL write it, in hexadecimal, and in base 64 at each of three positions. Those that are long enough. */
export function spellings(value: string, shortest: number): string[] {
  if (value.length < shortest) return [];
  const bytes = Buffer.from(value);
  const hex = bytes.toString("hex");
  const texts = [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value.toWellFormed()),
    hex,
    hex.toUpperCase(),
  ];
  for (let before = 0; before < 3; before++) {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    // Only the characters that no neighbouring byte has a part in.
    const from = Math.ceil((before * 8) / 6);
    const whole = encoded.slice(from, Math.floor(((before + bytes.length) * 8) / 6));
    texts.push(whole, whole.replaceAll("+", "-").replaceAll("/", "_"));
  }
  return texts.filter((text) => text.length >= shortest);
}
