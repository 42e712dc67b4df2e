/** What a peer can read, from its `Accept` header. */
export interface Acceptance {
  readonly json: boolean;
  readonly events: boolean;
}

/** What is assumed of a peer that does not say, or names nothing that can be sent. */
export const ACCEPTS_ALL: Acceptance = Object.freeze({ json: true, events: true });
const ACCEPTS_JSON: Acceptance = Object.freeze({ json: true, events: false });
const ACCEPTS_EVENTS: Acceptance = Object.freeze({ json: false, events: true });
const ACCEPTS_NEITHER: Acceptance = Object.freeze({ json: false, events: false });

/** Reads an `Accept` header. A range such as a star counts for every type it covers, a weight of 0 for none. */
export type AcceptReader = (header: string | undefined) => Acceptance;

/** Builds a reader that remembers the last header. */
export function createAcceptReader(): AcceptReader {
  let last: string | undefined; // `undefined` is answered before it is compared
  let acceptance = ACCEPTS_ALL;
  return (header) => {
    if (header === undefined) return ACCEPTS_ALL;
    if (header === last) return acceptance;
    acceptance = readAccept(header);
    last = header;
    return acceptance;
  };
}

function readAccept(header: string): Acceptance {
  let json = false;
  let events = false;
  for (const range of header.toLowerCase().split(",")) {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
    if (parameters.some((parameter) => /^q=0(?:\.0{0,3})?$/.test(parameter))) continue;
    if (type === "*/*" || type === "application/*" || type === "application/json") json = true;
    if (type === "*/*" || type === "text/*" || type === "text/event-stream") events = true;
  }
  if (json) return events ? ACCEPTS_ALL : ACCEPTS_JSON;
  return events ? ACCEPTS_EVENTS : ACCEPTS_NEITHER;
}
