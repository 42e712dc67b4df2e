import { ToolFailure } from "../tool-failure.js";
import { type Environment, readVariable } from "./environment.js";
import type { Provider, ProviderSet, ProviderStatus } from "./provider.js";
import { PROVIDERS, type ProviderRow } from "./provider-table.js";

/** Finds out which providers an environment has what it takes to call. An empty or blank variable counts as unset. */
export function readProviders(env: Environment): ProviderSet {
  const all = PROVIDERS.map((row) => readStatus(row, env));
  const configured = PROVIDERS.flatMap((row, index) => {
    const status = all[index];
    return status?.configured === true ? [toProvider(row, status)] : [];
  });
  return {
    all,
    configured,
    default: configured.find(({ text }) => text),
    find(id) {
      const provider = configured.find((each) => each.id === id);
      if (provider !== undefined) return provider;
      throw new ToolFailure(describeMissing(id, all));
    },
  };
}

/** Says what to set so that some provider answers text, or makes images. */
export function describeNone(kind: "text" | "image"): string {
  const rows = PROVIDERS.filter(({ image, modelVariable }) => (kind === "image" ? image : modelVariable) !== undefined);
  const names = rows.map((row) => listRequired(row).join(" with "));
  const what = kind === "image" ? "that makes images " : "";
  return `No provider ${what}is configured. Set one of these in the environment of the server: ${names.join(", ")}`;
}

function readStatus(row: ProviderRow, env: Environment): ProviderStatus {
  const { id, label, modelVariable, image } = row;
  const missing = listRequired(row).filter((name) => readVariable(env, name) === undefined);
  return {
    id,
    label,
    configured: missing.length === 0,
    missing,
    model: modelVariable === undefined ? undefined : (readVariable(env, modelVariable) ?? row.model),
    imageModel: image && (readVariable(env, image.variable) ?? image.model),
  };
}

/** The variables that a provider cannot be called without. */
function listRequired({ keyVariable, modelVariable, model }: ProviderRow): string[] {
  return [keyVariable, model === undefined ? modelVariable : undefined].filter((name) => name !== undefined);
}

function toProvider({ id, label }: ProviderRow, { model, imageModel }: ProviderStatus): Provider {
  // One that answers no text is configured without a model for it.
  return { id, label, model: model ?? "", imageModel, text: model !== undefined };
}

function describeMissing(id: string, all: readonly ProviderStatus[]): string {
  const status = all.find((each) => each.id === id);
  if (status === undefined)
    return `Expected "provider" to be one of ${all.map((each) => each.id).join(", ")}, received "${id.slice(0, 100)}"`;
  const names = status.missing.join(" and ");
  const verb = status.missing.length === 1 ? "is" : "are";
  return `${status.label} is not configured: ${names} ${verb} not set in the environment of the server`;
}
