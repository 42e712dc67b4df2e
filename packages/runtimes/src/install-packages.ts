import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const PACKAGES = fileURLToPath(new URL("../../", import.meta.url));
/** What the client stands on, itself included. */
const INSTALLED = ["core", "stdio", "client"];

interface Target {
  readonly "@mortise/source"?: string | Readonly<Record<string, string>>;
  readonly [condition: string]: unknown;
}

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, Target>>;
  readonly imports?: Readonly<Record<string, Target>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/**
 * Installs the client into a folder as a package manager would, but compiled from source: whatever runs below that folder
 * chooses by itself which files of the packages it loads.
 */
export async function installPackages(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  await Promise.all(INSTALLED.map((name) => installPackage(join(PACKAGES, name), folder)));
}

async function installPackage(source: string, folder: string): Promise<void> {
  const manifest = JSON.parse(readFileSync(join(source, "package.json"), "utf8")) as Manifest; // a file of this workspace
  const target = join(folder, "node_modules", manifest.name);
  mkdirSync(target, { recursive: true });
  const libraries = Object.keys(manifest.dependencies ?? {});
  await build({
    entryPoints: listEntries(manifest, source),
    outdir: join(target, "dist"),
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    external: [...libraries, ...Object.keys(manifest.imports ?? {}), "node:*"],
    logLevel: "warning",
  });
  writeFileSync(join(target, "package.json"), JSON.stringify(withoutSources(manifest), undefined, 2));
  for (const library of libraries.filter((name) => !name.startsWith("@mortise/"))) {
    const link = join(folder, "node_modules", library);
    mkdirSync(dirname(link), { recursive: true });
    cpSync(join(source, "node_modules", library), link, { recursive: true, dereference: true });
  }
}

/** The source of every public entry, and of every file that a runtime chooses from, by its name in `dist`. */
function listEntries({ exports, imports = {} }: Manifest, source: string): { in: string; out: string }[] {
  const pairs = [...Object.values(exports), ...Object.values(imports)].flatMap(({ "@mortise/source": from, ...to }) =>
    typeof from === "string" ? [[from, to.default]] : Object.entries(from ?? {}).map(([key, file]) => [file, to[key]]),
  );
  return pairs.map(([from, to]) => ({
    in: join(source, String(from)),
    out: String(to)
      .replace(/^\.\/dist\//, "")
      .replace(/\.js$/, ""),
  }));
}

function withoutSources(manifest: Manifest): object {
  const strip = (targets: Readonly<Record<string, Target>> = {}): object =>
    Object.fromEntries(
      Object.entries(targets).map(([key, { "@mortise/source": _, types: __, ...published }]) => [key, published]),
    );
  const { name, exports, imports } = manifest;
  return { name, type: "module", version: "0.0.0", exports: strip(exports), imports: strip(imports) };
}
