/** An object whose members may be absent instead of undefined. */
export type Compact<T> = { readonly [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key] } & {
  readonly [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>
}

/** A copy without the members that are undefined. */
export function compact<T extends object>(members: T): Compact<T> {
  const entries: readonly (readonly unknown[])[] = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries)
}
