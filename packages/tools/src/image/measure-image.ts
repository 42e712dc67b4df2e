import { Buffer } from "node:buffer";
import { ToolFailure } from "../tool-failure.js";

/** What a picture is, by its bytes. */
export interface ImageFacts {
  readonly bytes: number;
  /** Width and height in pixels, such as "1024x1024"; `undefined` for files other than PNG. */
  readonly size: string | undefined;
}

/** A picture of more bytes than this would choke the client that reads it. */
const MOST_BYTES = 20 * 1024 * 1024;
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Signature, length and name of the first chunk, width, height. */
const PNG_START = 24;

/** Measures a picture, and makes sure that a PNG is one. Throws `ToolFailure` for data that is broken or too large. */
export function measureImage({ data, mimeType }: { readonly data: string; readonly mimeType: string }): ImageFacts {
  const padding = /=*$/.exec(data.slice(-2))?.[0].length ?? 0;
  const bytes = Math.floor((data.length * 3) / 4) - padding;
  if (bytes > MOST_BYTES)
    throw new ToolFailure(
      `Expected an image of at most ${MOST_BYTES} bytes, received ${bytes}: ask for a smaller size`,
    );
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(data))
    throw new ToolFailure("Expected an image in base64, received something else");
  return { bytes, size: mimeType === "image/png" ? measurePng(data) : undefined };
}

function measurePng(data: string): string {
  const start = Buffer.from(data.slice(0, 64), "base64");
  const isPng = start.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE);
  if (!isPng || start.length < PNG_START || start.toString("latin1", 12, 16) !== "IHDR")
    throw new ToolFailure("Expected a PNG image, received one that is broken: ask again");
  return `${start.readUInt32BE(16)}x${start.readUInt32BE(20)}`;
}
