import { failed, ok, type Section } from "./finding.js";

/** The oldest Node that this package runs on. */
const OLDEST = [20, 19] as const;

/** Checks what the command runs on. */
export function checkMachine(nodeVersion: string, version: string): Section {
  const [major = 0, minor = 0] = nodeVersion.split(".").map(Number);
  const isNew = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
  const node = isNew
    ? ok(`Node ${nodeVersion}`)
    : failed(`Node ${nodeVersion} is too old`, `Install Node ${OLDEST.join(".")} or newer.`);
  return { title: "This machine", findings: [node, ok(`mortise ${version}`)] };
}
