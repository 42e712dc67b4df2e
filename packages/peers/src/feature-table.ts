import { FEATURE_PAIRS } from "./feature-clients.js";
import { SERVER_FEATURES } from "./features.js";

/** The rows of what official clients do with the features of a Mortise server: one for each feature, with why not. */
export function renderFeatureTables(
  table: (head: readonly string[], rows: readonly (readonly string[])[]) => string[],
): string[] {
  const reasons: string[] = [];
  const rows = FEATURE_PAIRS.map((pair) => {
    const lacking = SERVER_FEATURES.flatMap(({ name, lacks }) => {
      const lack = lacks?.(pair);
      if (lack === undefined) return [];
      if (!reasons.includes(lack)) reasons.push(lack);
      return [`${name} (${reasons.indexOf(lack) + 1})`];
    });
    return [pair.client.name, pair.way.name, pair.client.era, lacking.length === 0 ? "nothing" : lacking.join(", ")];
  });
  return [
    ...table(["client", "transport", "era agreed", "cannot be, and is refused"], rows),
    "",
    ...reasons.map((reason, index) => `${index + 1}. ${reason}`),
  ];
}
