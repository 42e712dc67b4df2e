// What each public entry may weigh in a bundle: minified, gzipped, with the workspace packages it stands on, without what
// it loads on first use. A ceiling is raised only in the change that needs it, with the reason in the changeset.
import { listEntries, listWorkspaces } from "./scripts/workspace.mjs";

const KILOBYTES = {
  "@mortise/core": 8,
  "@mortise/core/event-streams": 1.3,
  "@mortise/core/patterns": 5,
  "@mortise/core/schema": 4.1,
  "@mortise/server": 35.1,
  "@mortise/server/json-schema": 28.8,
  "@mortise/server/transport": 0.4,
  "@mortise/http": 12.3,
  "@mortise/http/exchange": 11.5,
  "@mortise/node": 13.6,
  "@mortise/stdio": 3.5,
  "@mortise/stdio/client": 5.9,
  "@mortise/client": 14,
  "@mortise/client/cache": 1.4,
  "@mortise/client/config": 3.3,
  "@mortise/client/form": 1.5,
  "@mortise/client/oauth": 5.4,
  "@mortise/client/oauth/node": 7.9,
  "@mortise/tools": 6.7,
  mortise: 48,
};
const FOR_NODE = new Set([
  "@mortise/node",
  "@mortise/stdio",
  "@mortise/client/oauth/node",
  "@mortise/tools",
  "mortise",
]);

/** Leaves out what is imported on first use. */
const withoutLazyParts = {
  name: "without-lazy-parts",
  setup(build) {
    build.onResolve({ filter: /.*/ }, ({ kind, path }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined,
    );
  },
};

function createCheck(name, path, limit, platform) {
  const modifyEsbuildConfig = (config) => ({
    ...config,
    platform,
    format: "esm",
    logLevel: "error",
    plugins: [withoutLazyParts],
  });
  return { name, path, limit: `${limit} kB`, gzip: true, modifyEsbuildConfig };
}

const entries = listWorkspaces()
  .filter((workspace) => workspace.isPublic)
  .flatMap((workspace) =>
    listEntries(workspace).map(({ specifier, js }) => {
      const limit = KILOBYTES[specifier];
      if (limit === undefined) throw new Error(`Give "${specifier}" a ceiling in .size-limit.mjs`);
      const platform = FOR_NODE.has(workspace.name) || FOR_NODE.has(specifier) ? "node" : "neutral";
      return createCheck(specifier, `${workspace.folder}/${js.replace("./", "")}`, limit, platform);
    }),
  );

export default [
  ...entries,
  createCheck("fetch-handler server", "packages/testing/size/fetch-server.mjs", 44.4, "neutral"),
];
