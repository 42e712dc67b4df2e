import type { DesignAnswer } from "../../src/design-tokens/build-tokens.js";
import type { ColorScheme } from "../../src/design-tokens/tokens.js";

export const LIGHT: ColorScheme = {
  background: "#ffffff",
  surface: "#f4f6f8",
  text: "#16202b",
  muted: "#55616e",
  border: "#d5dbe1",
  primary: "#0b6e4f",
  onPrimary: "#ffffff",
  secondary: "#2f3e46",
  onSecondary: "#ffffff",
  accent: "#f2b705",
  onAccent: "#1a1a1a",
  success: "#1b7f3b",
  warning: "#8a5a00",
  danger: "#b3261e",
};

export const DARK: ColorScheme = {
  background: "#0f1419",
  surface: "#1a2129",
  text: "#e8edf2",
  muted: "#9aa7b4",
  border: "#2e3842",
  primary: "#4cc38a",
  onPrimary: "#06281c",
  secondary: "#a9b8c3",
  onSecondary: "#10171c",
  accent: "#ffcf4d",
  onAccent: "#1a1a1a",
  success: "#5ed18a",
  warning: "#e5b454",
  danger: "#ff8a80",
};

/** What a good model decides. */
export const DESIGN: DesignAnswer = {
  name: "Harbour",
  light: LIGHT,
  dark: DARK,
  fonts: {
    heading: '"Source Serif 4", Georgia, serif',
    body: "Inter, system-ui, sans-serif",
    mono: "ui-monospace, monospace",
  },
  baseSize: 16,
  scale: 1.25,
  spacing: 4,
  radius: 8,
};
