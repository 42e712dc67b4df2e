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

test("server.json says of a variable for a model whether the provider can do without", () => {
  const needed = new Set(describeProviders({}).flatMap(({ missing }) => missing));
  const models = variables.filter(({ name }) => name.endsWith("_MODEL") && name !== "OLLAMA_MODEL");

  for (const { name, description } of models)
    expect([name, description.endsWith("instead of the default")]).toEqual([name, !needed.has(name)]);
});
