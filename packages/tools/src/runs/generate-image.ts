import { chooseSize } from "../image/choose-size.js";
import { type ImageFacts, measureImage } from "../image/measure-image.js";
import { expectText } from "../prompt/expect-text.js";
import { ToolFailure } from "../tool-failure.js";
import type { Run } from "../tool-spec.js";
import type { GenerateImageArgs } from "../tools/generate-image.js";

/** Width and height, each of two to four digits. */
const SIZE = /^[1-9]\d{1,3}x[1-9]\d{1,3}$/;

/** Asks for a picture, and gives it with a line on what it is. */
export const run: Run<GenerateImageArgs> = async ({ prompt, size: wanted }, { ask, provider }) => {
  expectText("prompt", prompt);
  if (wanted !== undefined && !SIZE.test(wanted))
    throw new ToolFailure(
      `Expected "size" to be width and height in pixels, such as "1024x1024", received "${wanted}"`,
    );
  const size = wanted === undefined ? undefined : chooseSize(wanted, provider?.imageModel ?? "");
  const { data, mimeType, model } = await ask.image({ prompt, size });
  const facts = measureImage({ data, mimeType });
  const maker = provider === undefined ? model : `${provider.label} (${model})`;
  return [
    { type: "image", data, mimeType },
    { type: "text", text: `Made by ${maker}: ${describe(facts, mimeType)}${compare(wanted, facts.size ?? size)}` },
  ];
};

function describe({ bytes, size }: ImageFacts, mimeType: string): string {
  const kind = mimeType.replace("image/", "").toUpperCase();
  return [kind, size, `${bytes} bytes`].filter((part) => part !== undefined).join(", ");
}

function compare(wanted: string | undefined, size: string | undefined): string {
  return wanted === undefined || size === undefined || wanted === size
    ? ""
    : `. ${wanted} was asked for; this is the nearest that the provider makes`;
}
