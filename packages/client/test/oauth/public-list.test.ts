import * as login from "@mortise/client/oauth";
import { expect, test } from "vitest";

test("exports for logins what is meant to be used, and nothing else", () => {
  expect(Object.keys(login).sort()).toEqual([
    "answerPopup",
    "browserStore",
    "clientCredentials",
    "enterpriseManaged",
    "memoryStore",
    "oauth",
    "pageRedirect",
    "popupRedirect",
    "workloadIdentity",
  ]);
});
