import { type Environment, readVariable } from "./environment.js";
import type { ProviderStatus } from "./provider.js";
import { PROVIDERS, type ProviderRow } from "./provider-table.js";

/** What is known of every provider in an environment, in the order of the table. An empty or blank variable counts as unset. */
export function readStatuses(env: Environment): readonly ProviderStatus[] {
  return PROVIDERS.map((row) => readStatus(row, env));
}

/** The variables that a provider cannot be called without. */
export function listRequired({ keyVariable, modelVariable, model }: ProviderRow): string[] {
  return [keyVariable, model === undefined ? modelVariable : undefined].filter((name) => name !== undefined);
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
