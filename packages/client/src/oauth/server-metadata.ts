/** What is known of an authorization server, checked. Members this client does not know are left out. */
export interface ServerMetadata {
  /** Exactly as published; compared as a string. */
  readonly issuer: string;
  readonly authorizationEndpoint?: string | undefined;
  readonly tokenEndpoint: string;
  readonly registrationEndpoint?: string | undefined;
  readonly revocationEndpoint?: string | undefined;
  readonly deviceAuthorizationEndpoint?: string | undefined;
  readonly scopesSupported?: readonly string[] | undefined;
  readonly grantTypesSupported?: readonly string[] | undefined;
  readonly tokenAuthMethodsSupported?: readonly string[] | undefined;
  readonly tokenAuthAlgorithmsSupported?: readonly string[] | undefined;
  readonly codeChallengeMethodsSupported?: readonly string[] | undefined;
  readonly dpopAlgorithmsSupported?: readonly string[] | undefined;
  /** Whether answers of the login page name the issuer, so that one without it must be refused. */
  readonly issParameterSupported: boolean;
  readonly clientIdMetadataDocumentSupported: boolean;
  /** `assumed` when there is no document at all and the endpoints of 2025-03-26 were taken. */
  readonly source: "oauth" | "openid" | "assumed";
}

/** A protected server, and who gives tokens for it. */
export interface ProtectedResource {
  /** The `resource` to ask tokens for, byte for byte as published; the configured address where nothing is published. */
  readonly resource: string;
  /** The issuers that are named; the origin of the server itself under 2025-03-26, where nothing is published. */
  readonly issuers: readonly string[];
  readonly scopesSupported?: readonly string[] | undefined;
  readonly dpopRequired: boolean;
  /** `none` when the server publishes no metadata, as under 2025-03-26. */
  readonly source: "metadata" | "none";
  /** Where metadata was looked for in vain, and what came instead, for messages. */
  readonly tried?: readonly string[] | undefined;
}
