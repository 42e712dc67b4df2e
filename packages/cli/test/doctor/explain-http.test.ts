import { MortiseError } from "@mortise/client";
import { expect, test } from "vitest";
import { explainHttpFailure } from "../../src/doctor/explain-http.js";

function explain(code: string): string {
  const cause = Object.assign(new Error("below"), { code });
  const error = new MortiseError("connection_failed", "above", { cause });
  const { text, hint } = explainHttpFailure(error, { url: new URL("https://example.com/mcp"), hasCredentials: false });
  return `${text}. ${hint}`;
}

test.each([
  ["CERT_HAS_EXPIRED", "expired"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "NODE_EXTRA_CA_CERTS"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "NODE_EXTRA_CA_CERTS"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "NODE_EXTRA_CA_CERTS"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "NODE_EXTRA_CA_CERTS"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "another name than example.com"],
  ["ENOTFOUND", "no host example.com"],
  ["ETIMEDOUT", "cannot be reached"],
])("says what %s means", (code, expected) => {
  expect(explain(code)).toContain(expected);
});

test("tells of a failure that it does not know in the words of the client", () => {
  expect(explain("EWHATEVER")).toContain("above");
});
