/** What colors are for, in the order in which they are written. */
export const COLOR_ROLES = [
  "background",
  "surface",
  "text",
  "muted",
  "border",
  "primary",
  "onPrimary",
  "secondary",
  "onSecondary",
  "accent",
  "onAccent",
  "success",
  "warning",
  "danger",
] as const;

export type ColorRole = (typeof COLOR_ROLES)[number];

/** One color for each role, as `#rrggbb`. */
export type ColorScheme = Readonly<Record<ColorRole, string>>;

export const SCHEMES = ["light", "dark"] as const;

export type SchemeName = (typeof SCHEMES)[number];

/** Values by the name of a step, in pixels. */
export type Steps = Readonly<Record<string, number>>;

/** Decisions of a design. */
export interface DesignTokens {
  readonly name: string;
  readonly color: Readonly<Record<SchemeName, ColorScheme>>;
  /** Families, the likeliest to be there last. */
  readonly font: { readonly heading: string; readonly body: string; readonly mono: string };
  readonly fontSize: Steps;
  readonly spacing: Steps;
  readonly radius: Steps;
}

/** Roles whose colors stand on others, with the contrast that they need there. */
export const CONTRASTS: ReadonlyArray<{
  readonly role: ColorRole;
  readonly on: readonly ColorRole[];
  /** WCAG 2.2: 4.5 for text, 3 for the parts of controls. */
  readonly least: number;
}> = [
  { role: "text", on: ["background", "surface"], least: 4.5 },
  { role: "muted", on: ["background", "surface"], least: 4.5 },
  { role: "onPrimary", on: ["primary"], least: 4.5 },
  { role: "onSecondary", on: ["secondary"], least: 4.5 },
  { role: "onAccent", on: ["accent"], least: 4.5 },
  { role: "success", on: ["background", "surface"], least: 3 },
  { role: "warning", on: ["background", "surface"], least: 3 },
  { role: "danger", on: ["background", "surface"], least: 3 },
];
