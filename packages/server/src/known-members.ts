import { REVISIONS, type Revision } from "@mortise/core";

/** Members that definitions and descriptions of one revision may have. Clients have no need of them, so they are no part of its row. */
export interface KnownMembers {
  readonly tool: ReadonlySet<string>;
  readonly prompt: ReadonlySet<string>;
  readonly promptArgument: ReadonlySet<string>;
  /** Of resources and templates. */
  readonly resource: ReadonlySet<string>;
  /** Of the annotations in those. */
  readonly annotation: ReadonlySet<string>;
  /** Of what a resource holds. */
  readonly contents: ReadonlySet<string>;
  /** Of the descriptions of client and server. */
  readonly implementation: ReadonlySet<string>;
}

type Names = Readonly<Record<keyof KnownMembers, readonly string[]>>;

/** What each revision added to the one before, from the oldest on. */
const ADDED: readonly (readonly [id: string, names: Partial<Names>])[] = [
  [
    "2024-11-05",
    {
      tool: ["name", "description", "inputSchema"],
      prompt: ["name", "description", "arguments"],
      promptArgument: ["name", "description", "required"],
      resource: ["uri", "uriTemplate", "name", "description", "mimeType", "size", "annotations"],
      annotation: ["audience", "priority"],
      contents: ["uri", "mimeType", "text", "blob"],
      implementation: ["name", "version"],
    },
  ],
  ["2025-03-26", { tool: ["annotations"] }],
  [
    "2025-06-18",
    {
      tool: ["title", "outputSchema", "_meta"],
      prompt: ["title", "_meta"],
      promptArgument: ["title"],
      resource: ["title", "_meta"],
      annotation: ["lastModified"],
      contents: ["_meta"],
      implementation: ["title"],
    },
  ],
  [
    "2025-11-25",
    {
      tool: ["icons"],
      prompt: ["icons"],
      resource: ["icons"],
      implementation: ["icons", "description", "websiteUrl"],
    },
  ],
];

const KNOWN: ReadonlyMap<string, KnownMembers> = new Map(
  [...REVISIONS.keys()].map((id) => [
    id,
    {
      tool: collect("tool", id),
      prompt: collect("prompt", id),
      promptArgument: collect("promptArgument", id),
      resource: collect("resource", id),
      annotation: collect("annotation", id),
      contents: collect("contents", id),
      implementation: collect("implementation", id),
    },
  ]),
);

/** The members that a revision knows. */
export function membersOf({ id }: Revision): KnownMembers {
  const known = KNOWN.get(id);
  if (known === undefined) throw new TypeError(`Expected a known revision, received ${JSON.stringify(id)}`);
  return known;
}

/** Dates compare as texts. */
function collect(kind: keyof KnownMembers, until: string): ReadonlySet<string> {
  return new Set(ADDED.filter(([id]) => id <= until).flatMap(([, names]) => names[kind] ?? []));
}
