import type { ClientOptions } from "../../src/oauth/client-options.js";
import type { CredentialStore } from "../../src/oauth/credential-store.js";
import { memoryStore } from "../../src/oauth/memory-store.js";
import { type ClientSearch, chooseClient } from "../../src/oauth/registration.js";
import type { ServerMetadata } from "../../src/oauth/server-metadata.js";
import { type DocumentServer, never, sendFor } from "./documents.js";

/** Where logins of tests come back to. */
export const CALLBACK = "http://127.0.0.1:47001/callback";

/** What differs from a login that comes back to this machine, at a server that offers nothing. */
export interface Scene {
  readonly options?: ClientOptions;
  readonly metadata?: Partial<ServerMetadata>;
  readonly store?: CredentialStore;
  readonly search?: Partial<ClientSearch>;
}

/** What decides which client a server is shown, for a login that comes back to this machine. */
export function describeSearch(
  issuer: string,
  { options = {}, metadata, store = memoryStore(), search }: Scene,
): ClientSearch {
  return {
    metadata: {
      issuer,
      tokenEndpoint: `${issuer}/token`,
      issParameterSupported: false,
      clientIdMetadataDocumentSupported: false,
      source: "oauth",
      ...metadata,
    },
    options,
    redirect: { applicationType: "native", uris: ["http://127.0.0.1/callback"] },
    redirectUri: CALLBACK,
    store,
    send: sendFor("http://127.0.0.1:1/mcp"),
    signal: never(),
    ...search,
  };
}

/** Chooses a client for a server that registers clients under `/register`. */
export function register({ origin }: DocumentServer, scene: Scene = {}): ReturnType<typeof chooseClient> {
  const metadata = { registrationEndpoint: `${origin}/register`, ...scene.metadata };
  return chooseClient(describeSearch(origin, { ...scene, metadata }));
}

/** What the last registration asked for. */
export function lastBody(server: DocumentServer): Record<string, unknown> {
  return JSON.parse(server.fake.log.at(-1)?.text ?? "{}") as Record<string, unknown>; // what was sent is an object
}
