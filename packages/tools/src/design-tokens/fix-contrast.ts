import { contrastOf, formatColor, mixColors, parseColor, type Rgb } from "./color.js";
import { COLOR_ROLES, CONTRASTS, type ColorRole, type ColorScheme, type SchemeName } from "./tokens.js";

/** The contrast of one color on another, computed. */
export interface ContrastReport {
  readonly scheme: SchemeName;
  readonly foreground: ColorRole;
  readonly background: ColorRole;
  /** 1 to 21, rounded down to hundredths. */
  readonly ratio: number;
  readonly required: number;
  readonly passes: boolean;
  /** The color that the model gave, where it was changed to pass. */
  readonly changedFrom?: string;
}

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];
const STEPS = 20;

/** Colors that can be read, and what was measured. */
export interface ReadableScheme {
  readonly colors: ColorScheme;
  readonly reports: readonly ContrastReport[];
}

/**
 * Makes the colors of a scheme readable on one another. One that is not is made darker or lighter, as little as it takes; where
 * nothing passes, because its backgrounds differ too much, it stays as it is and the report says so.
 */
export function fixContrast(scheme: ColorScheme, name: SchemeName): ReadableScheme {
  const colors = new Map(COLOR_ROLES.map((role) => [role, readColor(scheme[role])]));
  const at = (role: ColorRole): Rgb => colors.get(role) ?? BLACK;
  const reports = CONTRASTS.flatMap(({ role, on, least }) => {
    const given = at(role);
    const backgrounds = on.map(at);
    const readable = findReadable(given, backgrounds, least);
    colors.set(role, readable);
    const changed = readable === given ? {} : { changedFrom: formatColor(given) };
    return on.map((background): ContrastReport => {
      const ratio = contrastOf(readable, at(background));
      return {
        scheme: name,
        foreground: role,
        background,
        ratio: Math.floor(ratio * 100) / 100,
        required: least,
        passes: ratio >= least,
        ...changed,
      };
    });
  });
  // Every role is in the map.
  const fixed = Object.fromEntries(COLOR_ROLES.map((role) => [role, formatColor(at(role))])) as ColorScheme;
  return { colors: fixed, reports };
}

function findReadable(color: Rgb, backgrounds: readonly Rgb[], least: number): Rgb {
  const passes = (each: Rgb): boolean => backgrounds.every((background) => contrastOf(each, background) >= least);
  if (passes(color)) return color;
  for (let step = 1; step <= STEPS; step += 1) {
    const candidates = [BLACK, WHITE].map((end) => mixColors(color, end, step / STEPS));
    const found = candidates.find(passes);
    if (found !== undefined) return found;
  }
  return color;
}

/** The colors of a scheme were read before. */
function readColor(text: string): Rgb {
  return parseColor(text) ?? BLACK;
}
