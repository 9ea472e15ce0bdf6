/** How many items are wanted. */
export interface SeedRows {
  /** In each entity set. */
  readonly each: number
  /** Exceptions: entity set -> items in it, `users/messages` -> items that each owner has. */
  readonly of: ReadonlyMap<string, number>
}

/** Reads `100000,groups=1000,users/messages=10`; a sentence tells what is wrong. */
export function parseSeedRows(text: string): SeedRows | string {
  let each: number | undefined
  const of = new Map<string, number>()
  for (const part of text.split(',')) {
    const [first = '', second, ...more] = part.split('=')
    const count = (second ?? first).trim()
    if (more.length > 0 || !/^\d{1,9}$/.test(count)) return `"${part}" is no number; expected N, or NAME=N.`
    if (second === undefined) each = Number(count)
    else of.set(first.trim(), Number(count))
  }
  return each === undefined ? 'Expected a number of rows for all sets, such as 1000,groups=10.' : { each, of }
}
