import { vi } from "vitest";

/** Keeps off the console what oidc-provider says about its runtime and its set-up, which is one for tests. */
export function muteProvider(): void {
  for (const method of ["info", "warn"] as const) {
    const print = console[method];
    if (vi.isMockFunction(print)) continue;
    vi.spyOn(console, method).mockImplementation((...parts) => {
      if (!String(parts[0]).startsWith("oidc-provider ")) print(...parts);
    });
  }
}
