const VALUES = [
  ["M", 1000],
  ["CM", 900],
  ["D", 500],
  ["CD", 400],
  ["C", 100],
  ["XC", 90],
  ["L", 50],
  ["XL", 40],
  ["X", 10],
  ["IX", 9],
  ["V", 5],
  ["IV", 4],
  ["I", 1],
];

export function toRoman(number) {
  if (!Number.isInteger(number) || number < 1 || number > 3999) throw new RangeError("out of range");
  let rest = number;
  let text = "";
  for (const [letters, value] of VALUES) {
    while (rest >= value) {
      text += letters;
      rest -= value;
    }
  }
  return text;
}

export function fromRoman(text) {
  let rest = text.toUpperCase();
  let number = 0;
  for (const [letters, value] of VALUES) {
    while (rest.startsWith(letters)) {
      number += value;
      rest = rest.slice(letters.length);
    }
  }
  if (rest !== "" || number === 0 || toRoman(number) !== text.toUpperCase()) return null;
  return number;
}
