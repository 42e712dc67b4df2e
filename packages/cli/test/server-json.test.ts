import { describeProviders, PROVIDER_IDS } from "@mortise/tools";
import { expect, test } from "vitest";
import manifest from "../server.json" with { type: "json" };

const variables = manifest.packages.flatMap(({ environmentVariables }) => environmentVariables);

test("server.json names every variable that a provider cannot do without, and marks the secret ones", () => {
  const needed = describeProviders({}).flatMap(({ missing }) => missing);

  const names = variables.map(({ name }) => name);
  const secret = variables.filter((variable) => "isSecret" in variable).map(({ name }) => name);

  expect(names).toEqual(expect.arrayContaining(needed));
  expect(secret.toSorted()).toEqual(needed.filter((name) => name.endsWith("_API_KEY")).toSorted());
});

test("server.json names no variable that means nothing", () => {
  const prefixes = [...PROVIDER_IDS.map((id) => id.toUpperCase()), "MORTISE"];

  const stray = variables.filter(({ name }) => !prefixes.some((prefix) => name.startsWith(`${prefix}_`)));

  expect(stray).toEqual([]);
});
