import type { MortiseError } from "@mortise/core";
import type { LoginFailure } from "./login-failures.js";

/** Makes the error of a login that cannot go on. What is said of it is loaded with the first. */
export async function loginFailure(reason: LoginFailure, subject = ""): Promise<MortiseError> {
  const { createLoginFailure } = await import("./login-failures.js");
  return createLoginFailure(reason, subject);
}
