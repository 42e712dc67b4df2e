import { isObject } from "@mortise/core";
import type { PictureModel } from "./models.js";
import { ProviderRefusal } from "./provider-refusal.js";

/** Stability knows shapes in place of sizes. */
const RATIOS = ["1:1", "16:9", "21:9", "3:2", "5:4", "2:3", "4:5", "9:16", "9:21"] as const;

/** What it takes to call Stability. */
export interface StabilitySettings {
  readonly apiKey: string;
  readonly baseURL: string;
  readonly fetch: typeof globalThis.fetch;
}

/** Makes pictures with Stability's services "core", "ultra" and "sd3", which are its models here. */
export function createStability({ apiKey, baseURL, fetch }: StabilitySettings): (model: string) => PictureModel {
  return (model) =>
    async ({ prompt, size, signal }) => {
      const body = new FormData();
      body.set("prompt", prompt);
      body.set("output_format", "png");
      const ratio = size === undefined ? undefined : nearestRatio(size);
      if (ratio !== undefined) body.set("aspect_ratio", ratio);
      const url = `${baseURL}/v2beta/stable-image/generate/${encodeURIComponent(model)}`;
      const headers = { authorization: `Bearer ${apiKey}`, accept: "application/json" };
      const response = await fetch(url, { method: "POST", headers, body, signal });
      const text = await response.text();
      if (!response.ok) throw new ProviderRefusal(response.status, response.headers, text);
      return readPicture(response, text, ratio === undefined || ratio === exactRatio(size) ? [] : [ratio]);
    };
}

function readPicture(response: Response, text: string, ratios: readonly string[]): Awaited<ReturnType<PictureModel>> {
  const answer = parse(text);
  if (!isObject(answer)) throw new ProviderRefusal(response.status, response.headers, text);
  if (answer.finish_reason === "CONTENT_FILTERED")
    throw new ProviderRefusal(403, response.headers, '{"error":{"code":"content_filter"}}');
  const image = typeof answer.image === "string" ? answer.image : undefined;
  return { image, warnings: ratios.map((ratio) => `The size was taken as the shape ${ratio}`) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function nearestRatio(size: string): string {
  const wanted = Math.log(divide(size, "x"));
  const distance = (ratio: string): number => Math.abs(Math.log(divide(ratio, ":")) - wanted);
  return RATIOS.reduce((nearest, each) => (distance(each) < distance(nearest) ? each : nearest));
}

/** The ratio that is the size's own, where there is one. */
function exactRatio(size: string | undefined): string | undefined {
  return RATIOS.find((ratio) => size !== undefined && divide(ratio, ":") === divide(size, "x"));
}

function divide(text: string, separator: string): number {
  const [width = 1, height = 1] = text.split(separator).map(Number);
  return width / height;
}
