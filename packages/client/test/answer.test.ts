import { JsonRpcError } from "@mortise/core";
import { expect, test } from "vitest";
import { readAnswer } from "../src/answer.js";
import type { Answer } from "../src/link.js";

function fail(status: number): unknown {
  const header = (name: string): string | undefined => (name === "www-authenticate" ? "Bearer" : undefined);
  const answer: Answer = { kind: "error", head: { status, header }, error: { code: -32600, message: "Who are you?" } };
  try {
    return readAnswer(answer);
  } catch (error) {
    return error;
  }
}

test("an error that came with 401 has the challenge of the server in its cause", () => {
  const error = fail(401);

  expect(error).toBeInstanceOf(JsonRpcError);
  expect(error).toMatchObject({ code: -32600, cause: { status: 401, body: "Who are you?", challenge: "Bearer" } });
});

test("an error that came with another status is that of the server alone", () => {
  const error = fail(400);

  expect(error).toMatchObject({ code: -32600 });
  expect(error).not.toHaveProperty("cause");
});
