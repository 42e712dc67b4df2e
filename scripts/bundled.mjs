// Third-party code that lies inside a package's own built files, with the reason. It is a development dependency of that
// package, and its licence is in the package's THIRD-PARTY-LICENSES.txt.

/** @type {Record<string, Record<string, string>>} */
export const BUNDLED = {
  "@mortise/client": {
    typebox: "The validator for the output of tools, loaded on first use; few of its files are needed",
  },
  "@mortise/server": {
    typebox: "The validator for plain JSON Schema, loaded on first use; few of its files are needed",
  },
};
