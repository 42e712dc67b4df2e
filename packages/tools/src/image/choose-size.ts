/** Sizes that models make, by how their names begin. Other models take any, or say what they made of it. */
const SIZES: ReadonlyArray<readonly [RegExp, readonly string[]]> = [
  [/^(?:gpt-image|chatgpt-image)/, ["1024x1024", "1536x1024", "1024x1536"]],
  [/^dall-e-3/, ["1024x1024", "1792x1024", "1024x1792"]],
  [/^dall-e-2/, ["256x256", "512x512", "1024x1024"]],
];

/** Finds the size a model makes that is nearest in shape, then in width, to the one that is wanted. */
export function chooseSize(wanted: string, model: string): string {
  const sizes = SIZES.find(([name]) => name.test(model))?.[1] ?? [wanted];
  const target = measure(wanted);
  const distance = (size: string): number => {
    const { shape, width } = measure(size);
    // Shapes differ by far more than a thousandth.
    return Math.abs(Math.log(shape / target.shape)) + Math.abs(Math.log(width / target.width)) / 1000;
  };
  return sizes.reduce((nearest, each) => (distance(each) < distance(nearest) ? each : nearest));
}

function measure(size: string): { readonly shape: number; readonly width: number } {
  const [width = 1, height = 1] = size.split("x").map(Number);
  return { shape: width / height, width };
}
