import { record } from '../../../spec/language/resolve/record.js'

/** Keys that a spec cannot have. */
const impossible: ReadonlySet<string> = new Set(['__proto__', '<<'])

/** Entries of annotations by the names that they say, without those that no key of a spec may be. */
export function tableOf<Entry>(entries: Iterable<readonly [string, Entry]>): Readonly<Record<string, Entry>> {
  return record([...entries].filter(([name]) => !impossible.has(name)))
}
