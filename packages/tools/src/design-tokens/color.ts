/** Red, green and blue, 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

const HEX = /^#?(?:([0-9a-f])([0-9a-f])([0-9a-f])|([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2}))$/i;
const RGB = /^rgb\(\s*(\d{1,3})\s*[\s,]\s*(\d{1,3})\s*[\s,]\s*(\d{1,3})\s*\)$/i;
const HSL = /^hsl\(\s*(\d{1,3})(?:deg)?\s*[\s,]\s*(\d{1,3})%\s*[\s,]\s*(\d{1,3})%\s*\)$/i;

/** Reads `#rgb`, `#rrggbb`, `rgb(r, g, b)` or `hsl(h, s%, l%)`. Gives `undefined` for anything else. */
export function parseColor(text: string): Rgb | undefined {
  const trimmed = text.trim();
  const hex = HEX.exec(trimmed);
  if (hex !== null) {
    const digits = hex.slice(1).filter((part) => part !== undefined);
    return toRgb(digits.map((part) => Number.parseInt(part.length === 1 ? part + part : part, 16)));
  }
  const rgb = RGB.exec(trimmed);
  if (rgb !== null) return toRgb(rgb.slice(1).map(Number));
  const [hue, saturation, lightness] = (HSL.exec(trimmed) ?? []).slice(1).map(Number);
  if (hue === undefined || saturation === undefined || lightness === undefined) return undefined;
  return saturation > 100 || lightness > 100 ? undefined : fromHsl(hue, saturation / 100, lightness / 100);
}

/** Writes a color as `#rrggbb`. */
export function formatColor(color: Rgb): string {
  return `#${color.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** A color on the way from one to another; `share` says how far, 0 to 1. */
export function mixColors(from: Rgb, to: Rgb, share: number): Rgb {
  const mix = (start: number, end: number): number => Math.round(start + (end - start) * share);
  return [mix(from[0], to[0]), mix(from[1], to[1]), mix(from[2], to[2])];
}

/**
 * The contrast of two colors, 1 to 21.
 *
 * @see https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio
 */
export function contrastOf(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** @see https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminanceOf([red, green, blue]: Rgb): number {
  return 0.2126 * linearize(red) + 0.7152 * linearize(green) + 0.0722 * linearize(blue);
}

function linearize(part: number): number {
  const share = part / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

function toRgb(parts: readonly number[]): Rgb | undefined {
  const [red, green, blue] = parts;
  if (red === undefined || green === undefined || blue === undefined) return undefined;
  return Math.max(red, green, blue) > 255 ? undefined : [red, green, blue];
}

function fromHsl(hue: number, saturation: number, lightness: number): Rgb {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const part = (offset: number): number => {
    const place = (offset + hue / 30) % 12;
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(place - 3, 9 - place, 1))));
  };
  return [part(0), part(8), part(4)];
}
