import { Buffer } from "node:buffer";
import { ToolFailure } from "../tool-failure.js";
import type { ImageAnswer } from "./asker.js";

/** How files of each kind begin, in base64. */
const KINDS: readonly (readonly [string, string])[] = [
  ["iVBORw0KGgo", "image/png"],
  ["/9j/", "image/jpeg"],
  ["UklGR", "image/webp"],
  ["R0lGOD", "image/gif"],
];

/** Reads a picture as a provider gave it. Throws `ToolFailure` for what is none. */
export function readImage(image: string | Uint8Array | undefined, label: string): Omit<ImageAnswer, "model"> {
  const data = image instanceof Uint8Array ? Buffer.from(image).toString("base64") : image;
  const kind = KINDS.find(([start]) => data?.startsWith(start) === true);
  if (data === undefined || kind === undefined)
    throw new ToolFailure(`${label} gave no image that can be read: ask again, or name another model`);
  return { data, mimeType: kind[1] };
}
