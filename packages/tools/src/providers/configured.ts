import { ToolFailure } from "../tool-failure.js";
import type { Environment } from "./environment.js";
import type { Provider, ProviderSet, ProviderStatus } from "./provider.js";
import { listRequired, readStatuses } from "./provider-status.js";
import { PROVIDERS } from "./provider-table.js";

/** Finds out which providers an environment has what it takes to call. */
export function readProviders(env: Environment): ProviderSet {
  const all = readStatuses(env);
  const configured = all.filter((status) => status.configured).map(toProvider);
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

function toProvider({ id, label, model, imageModel }: ProviderStatus): Provider {
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
