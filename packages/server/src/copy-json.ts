/** A copy of a JSON object that shares nothing with it. Not recursive: a value may be deeper than the stack. */
export function copyJson<Value extends object>(value: Value): Value {
  const whole = copyLevel(value);
  const open: Record<string, unknown>[] = [whole as Record<string, unknown>]; // an array has its members by name, too
  for (let level = open.pop(); level !== undefined; level = open.pop()) {
    for (const name of Object.keys(level)) {
      const member = level[name];
      if (typeof member !== "object" || member === null) continue;
      const copy = copyLevel(member);
      level[name] = copy; // its own member, whatever its name: the copy has it already
      open.push(copy as Record<string, unknown>); // likewise
    }
  }
  return whole;
}

function copyLevel<Value extends object>(value: Value): Value {
  return (Array.isArray(value) ? [...value] : { ...value }) as Value; // JSON has no other objects
}
