import * as oauth from "oauth4webapi";
import type { ServerMetadata } from "./server-metadata.js";
import { readSigningKey } from "./signing-key.js";
import type { ClientIdentity, SigningKey } from "./token-set.js";

/** The library insists on an id. Without one the client is nobody in particular, for servers that go by an assertion alone. */
export function toLibraryClient({ clientId }: ClientIdentity): oauth.Client {
  return { client_id: clientId === "" ? "nobody" : clientId };
}

/** Makes what proves the identity of the client in each request: afresh, since an assertion is good for one. */
export function createClientAuthentication(
  client: ClientIdentity,
  metadata: Pick<ServerMetadata, "tokenAuthAlgorithmsSupported">,
): oauth.ClientAuth {
  const { authentication } = client;
  switch (authentication.method) {
    case "none":
      return client.clientId === "" ? () => undefined : oauth.None();
    case "client_secret_post":
      return oauth.ClientSecretPost(authentication.secret);
    case "client_secret_basic":
      return createBasic(authentication.secret);
    case "private_key_jwt":
      return createAssertion(authentication.key, metadata.tokenAuthAlgorithmsSupported);
  }
}

/**
 * RFC 6749 section 2.3.1 has both parts encoded as a form would. Encoding no more than a form does matters: many servers never decode,
 * and then a plain "-" of an id must be one.
 */
function createBasic(secret: string): oauth.ClientAuth {
  return (_server, client, _body, headers) => {
    headers.set("authorization", `Basic ${btoa(`${encodePart(client.client_id)}:${encodePart(secret)}`)}`);
  };
}

function encodePart(text: string): string {
  return new URLSearchParams([["", text]]).toString().slice(1);
}

/** Assertions for the issuer, as RFC 7523 has them. The key is read with the first. */
function createAssertion(signing: SigningKey, accepted: readonly string[] | undefined): oauth.ClientAuth {
  let ready: Promise<oauth.ClientAuth> | undefined;
  return async (server, client, body, headers) => {
    ready ??= readAssertion(signing, accepted);
    await (await ready)(server, client, body, headers);
  };
}

async function readAssertion(signing: SigningKey, accepted: readonly string[] | undefined): Promise<oauth.ClientAuth> {
  const { key, algorithm } = await readSigningKey(signing, accepted);
  const { keyId } = signing;
  return oauth.PrivateKeyJwt(keyId === undefined ? key : { key, kid: keyId }, {
    [oauth.modifyAssertion]: (header) => {
      header.alg = algorithm;
    },
  });
}
