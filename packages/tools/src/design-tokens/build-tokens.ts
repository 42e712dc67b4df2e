import { formatColor, parseColor } from "./color.js";
import { COLOR_ROLES, type ColorRole, type ColorScheme, type DesignTokens, SCHEMES, type Steps } from "./tokens.js";

/** What the model decides. Everything else follows from it. */
export interface DesignAnswer {
  readonly name: string;
  readonly light: ColorScheme;
  readonly dark: ColorScheme;
  readonly fonts: DesignTokens["font"];
  /** The size of running text, in pixels. */
  readonly baseSize: number;
  /** How much larger each step of the type scale is than the one before. */
  readonly scale: number;
  /** The step of the spacing scale, in pixels. */
  readonly spacing: number;
  /** The radius of ordinary corners, in pixels. */
  readonly radius: number;
}

/** A family, in quotes or without: nothing that could end the declaration that it becomes part of. */
const FAMILY = /^(?:[\p{L}\p{N} _-]+|"[\p{L}\p{N} _-]+"|'[\p{L}\p{N} _-]+')$/u;
const TEXT_STEPS: ReadonlyArray<readonly [string, number]> = [
  ["xs", -2],
  ["sm", -1],
  ["base", 0],
  ["lg", 1],
  ["xl", 2],
  ["2xl", 3],
  ["3xl", 4],
  ["4xl", 5],
];
const SPACE_STEPS = [0, 1, 2, 3, 4, 6, 8, 12, 16] as const;

/** Says what cannot be used of what the model decided; `undefined` for nothing. */
export function findDesignProblems(answer: DesignAnswer): string | undefined {
  const colors = SCHEMES.flatMap((scheme) =>
    COLOR_ROLES.flatMap((role) => {
      const given = answer[scheme][role];
      return parseColor(given) === undefined
        ? [
            `expected "${scheme}.${role}" to be a color such as "#1a2b3c", received ${JSON.stringify(given.slice(0, 60))}`,
          ]
        : [];
    }),
  );
  const fonts = Object.entries(answer.fonts).flatMap(([name, families]) =>
    isFontList(families) ? [] : [`expected "fonts.${name}" to be a list of font families with commas between them`],
  );
  const problems = [...colors, ...fonts];
  return problems.length === 0 ? undefined : problems.join("; ");
}

/** Makes tokens of what the model decided. The brand's color, where one is given, is the primary one of the light scheme. */
export function buildTokens(answer: DesignAnswer, brandColor: string | undefined): DesignTokens {
  const { name, light, dark, fonts, baseSize, scale, spacing, radius } = answer;
  const brand = brandColor === undefined ? {} : { primary: brandColor };
  return {
    name,
    color: { light: normalize({ ...light, ...brand }), dark: normalize(dark) },
    font: { heading: fonts.heading, body: fonts.body, mono: fonts.mono },
    fontSize: Object.fromEntries(TEXT_STEPS.map(([step, power]) => [step, round(baseSize * scale ** power)])),
    spacing: Object.fromEntries(SPACE_STEPS.map((step) => [String(step), round(step * spacing)])),
    radius: listRadii(radius),
  };
}

function isFontList(families: string): boolean {
  return families.split(",").every((family) => FAMILY.test(family.trim()));
}

function normalize(scheme: ColorScheme): ColorScheme {
  const entries = COLOR_ROLES.map((role): [ColorRole, string] => {
    const color = parseColor(scheme[role]);
    return [role, color === undefined ? scheme[role] : formatColor(color)];
  });
  // Every role is among the entries.
  return Object.fromEntries(entries) as ColorScheme;
}

function listRadii(radius: number): Steps {
  return { sm: round(radius / 2), md: radius, lg: round(radius * 1.5), xl: round(radius * 2), full: 9999 };
}

function round(pixels: number): number {
  return Math.round(pixels * 100) / 100;
}
