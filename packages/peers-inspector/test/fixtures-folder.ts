import { fileURLToPath } from "node:url";

/** Where the servers under test are compiled to. */
export const FIXTURES: string = fileURLToPath(new URL("../dist/fixtures/", import.meta.url));
