const NAME = /^[A-Za-z_$][\w$]*$/;

/** Writes a path as a program would: `items[0].name`, `["a b"].c`; empty for the root. */
export function formatPath(keys: Iterable<PropertyKey>): string {
  let path = "";
  for (const key of keys) {
    if (typeof key === "number") path += `[${key}]`;
    else if (typeof key === "string" && NAME.test(key)) path += path === "" ? key : `.${key}`;
    else path += `[${JSON.stringify(String(key))}]`;
  }
  return path;
}
