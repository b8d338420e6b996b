export class Cart {
  #lines = new Map();

  constructor(discounts = {}) {
    this.discounts = discounts;
  }

  add(name, price, count = 1) {
    if (price < 0 || count <= 0) throw new RangeError(`${name}: a price or a count is wrong`);
    const line = this.#lines.get(name);
    if (line) line.count += count;
    else this.#lines.set(name, { price, count });
    return this;
  }

  remove(name, count = Infinity) {
    const line = this.#lines.get(name);
    if (!line) return false;
    line.count -= count;
    if (line.count <= 0) this.#lines.delete(name);
    return true;
  }

  get size() {
    return [...this.#lines.values()].reduce((sum, { count }) => sum + count, 0);
  }

  total(code) {
    let sum = 0;
    for (const { price, count } of this.#lines.values()) {
      const rate = count >= 10 ? 0.9 : 1;
      sum += price * count * rate;
    }
    const discount = this.discounts[code];
    if (discount?.percent) sum -= (sum * discount.percent) / 100;
    if (discount?.amount && sum > discount.amount) sum -= discount.amount;
    return Math.round(sum * 100) / 100;
  }
}

export function shipping(total, country) {
  if (total >= 50 && country === "home") return 0;
  switch (country) {
    case "home":
      return 5;
    case "near":
      return total > 100 ? 8 : 12;
    default:
      return 25;
  }
}
