import { MortiseError } from "@mortise/core";
import type { CredentialStore } from "./credential-store.js";
import { createGrantMethod } from "./grant-method.js";
import { createDeviceCodeGrant } from "./grants/device-code.js";
import type { LoginMethod } from "./login-method.js";
import type { OAuthOptions } from "./oauth.js";

const DEVICE_GRANTS = ["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"] as const;

/** Makes logins with a code that is typed in on another device. They reject with `login_required` where there are no codes. */
export function createDeviceMethod(options: OAuthOptions, store: CredentialStore): Promise<LoginMethod> {
  const { onDeviceCode } = options;
  return createGrantMethod({
    interactive: true,
    store,
    clients: options,
    grantTypes: DEVICE_GRANTS,
    async createGrant({ metadata }) {
      if (onDeviceCode === undefined)
        throw new MortiseError("login_required", 'The server needs a login, and there is no "redirect" to log in with');
      if (metadata.deviceAuthorizationEndpoint === undefined)
        throw new MortiseError(
          "login_required",
          'The server needs a login, its authorization server gives no codes for devices, and there is no "redirect" to log in with',
        );
      return createDeviceCodeGrant({ onDeviceCode });
    },
  });
}
