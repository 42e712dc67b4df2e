import type { Grant } from "../grant.js";
import { type Assertion, JWT_BEARER, readAssertion } from "./assertion.js";

/** Where a workload's identity comes from. */
export interface WorkloadIdentityGrantOptions {
  /** The token that the platform gave the workload, such as a service account's. It is presented once for each token. */
  readonly assertion: Assertion;
}

/**
 * The grant of workloads that their platform vouches for (RFC 7523). One request, no second try, no other way: what a server does not
 * accept once it never will.
 * See https://github.com/modelcontextprotocol/modelcontextprotocol/pull/1933
 */
export function createWorkloadIdentityGrant({ assertion }: WorkloadIdentityGrantOptions): Grant {
  return {
    interactive: false,
    obtain: async (context) => {
      const { endpoint, scope, signal } = context;
      const presented = await readAssertion("assertion", assertion, context);
      const params = { assertion: presented };
      return endpoint.grant(JWT_BEARER, scope === undefined ? params : { ...params, scope }, signal);
    },
  };
}
