import type { OpenAIProvider } from "@ai-sdk/openai";

/** A model for text, as all providers of the AI SDK give it. */
export type LanguageModel = ReturnType<OpenAIProvider["languageModel"]>;

type SdkImageModel = ReturnType<OpenAIProvider["image"]>;

/** What a picture is made of. */
export interface PictureRequest {
  readonly prompt: string;
  readonly size: string | undefined;
  readonly signal: AbortSignal;
}

/** A picture as it came, base64 or bytes. */
export interface Picture {
  readonly image: string | Uint8Array | undefined;
  /** What the provider left out of the request. */
  readonly warnings: readonly string[];
}

/** A model for pictures. */
export type PictureModel = (request: PictureRequest) => Promise<Picture>;

/** What one provider can do, once its library is loaded. */
export interface OpenProvider {
  text(model: string): LanguageModel;
  picture(model: string): PictureModel;
}

/** Makes a picture model of one of the AI SDK. */
export function fromSdkImages(model: SdkImageModel): PictureModel {
  return async ({ prompt, size, signal }) => {
    const { images, warnings } = await model.doGenerate({
      prompt,
      n: 1,
      // Checked where it came in.
      size: size as `${number}x${number}` | undefined,
      aspectRatio: undefined,
      seed: undefined,
      files: undefined,
      mask: undefined,
      providerOptions: {},
      abortSignal: signal,
    });
    return { image: images[0], warnings: warnings.map(describeWarning) };
  };
}

/** A warning of the AI SDK in words. */
export function describeWarning(warning: Awaited<ReturnType<SdkImageModel["doGenerate"]>>["warnings"][number]): string {
  if (warning.type === "other") return warning.message;
  const details = warning.details === undefined ? "" : `: ${warning.details}`;
  return warning.type === "unsupported"
    ? `"${warning.feature}" is not supported${details}`
    : `"${warning.feature}" works in part${details}`;
}
