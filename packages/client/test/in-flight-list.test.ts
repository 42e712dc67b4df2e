import { expect, test } from "vitest";
import { type InFlight, InFlightList } from "../src/in-flight-list.js";

function createEntry(name: string, dropped: string[]): InFlight {
  return { previous: undefined, next: undefined, drop: () => void dropped.push(name) };
}

test.each([
  ["none", [], ["c", "b", "a"]],
  ["the first", ["c"], ["b", "a"]],
  ["the middle one", ["b"], ["c", "a"]],
  ["the last", ["a"], ["c", "b"]],
  ["one twice", ["b", "b"], ["c", "a"]],
  ["all", ["a", "b", "c"], []],
])("drops what is left after %s was taken out, each once", (_, removed, expected) => {
  const dropped: string[] = [];
  const list = new InFlightList();
  const entries = new Map(["a", "b", "c"].map((name) => [name, createEntry(name, dropped)]));
  for (const entry of entries.values()) list.add(entry);

  for (const name of removed) list.remove(entries.get(name)!);
  list.dropAll(new Error("over"));
  list.dropAll(new Error("over"));

  expect(dropped).toEqual(expected);
});
