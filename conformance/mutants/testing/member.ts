/** A member of a JSON value; undefined where there is none. */
export function member(json: unknown, ...names: readonly (string | number)[]): unknown {
  let value = json
  for (const name of names) value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  return value
}

/** A member that is a text. */
export function text(json: unknown, ...names: readonly (string | number)[]): string {
  return String(member(json, ...names))
}
