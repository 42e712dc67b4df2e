/** Tells whether a `Content-Type` header names JSON in UTF-8. */
export type ContentTypeRule = (header: string | undefined) => boolean;

const CHARSET = /^charset="?([^"]*)"?$/;

/** Builds the rule; the last verdict is remembered. */
export function createContentTypeRule(): ContentTypeRule {
  let last: string | undefined; // `undefined` is answered before it is compared
  let verdict = false;
  return (header) => {
    if (header === undefined) return false;
    if (header === last) return verdict;
    verdict = isJsonType(header);
    last = header;
    return verdict;
  };
}

function isJsonType(header: string): boolean {
  const [type = "", ...parameters] = header.toLowerCase().split(";");
  if (type.trim() !== "application/json") return false;
  return parameters.every((parameter) => {
    const charset = CHARSET.exec(parameter.trim())?.[1];
    return charset === undefined || charset === "utf-8" || charset === "utf8";
  });
}
