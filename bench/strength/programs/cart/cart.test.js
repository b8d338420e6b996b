import assert from "node:assert/strict";
import test from "node:test";
import { Cart, shipping } from "./cart.js";

test("adds up", () => {
  const cart = new Cart().add("pen", 2, 3).add("pen", 2).add("book", 10.5);
  assert.equal(cart.size, 5);
  assert.equal(cart.total(), 18.5);
});
test("gives a discount for many", () => assert.equal(new Cart().add("pen", 1, 10).total(), 9));
test("knows codes", () => {
  const cart = new Cart({ TEN: { percent: 10 }, FIVE: { amount: 5 } }).add("book", 20);
  assert.equal(cart.total("TEN"), 18);
  assert.equal(cart.total("FIVE"), 15);
  assert.equal(cart.total("NONE"), 20);
});
test("removes", () => {
  const cart = new Cart().add("pen", 2, 3);
  assert.equal(cart.remove("pen", 1), true);
  assert.equal(cart.size, 2);
  assert.equal(cart.remove("pen"), true);
  assert.equal(cart.remove("pen"), false);
});
test("refuses", () => {
  assert.throws(() => new Cart().add("pen", -1));
  assert.throws(() => new Cart().add("pen", 1, 0));
});
test("ships", () => {
  assert.equal(shipping(60, "home"), 0);
  assert.equal(shipping(10, "home"), 5);
  assert.equal(shipping(150, "near"), 8);
  assert.equal(shipping(20, "near"), 12);
  assert.equal(shipping(20, "far"), 25);
});
