import { record, type SpecDocument } from '../../spec/language/index.js'

/** Chapters of a spec, some of them absent. */
type Chapters = {
  readonly [Chapter in keyof Omit<SpecDocument, 'specwright'>]?: SpecDocument[Chapter] | undefined
}

/** A spec with its chapters in the usual order. */
export function chaptersInOrder(chapters: Chapters): object {
  const { service, authentication, resources, container, queryOptions, paths, operations, ...rest } = chapters
  return compact({
    specwright: 1,
    service,
    authentication,
    resources,
    container,
    queryOptions,
    paths,
    operations,
    ...rest,
  })
}

/** An object whose members may be absent instead of undefined. */
export type Compact<T> = { readonly [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key] } & {
  readonly [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>
}

/** A copy without the members that are undefined. */
export function compact<T extends object>(members: T): Compact<T> {
  const entries: readonly (readonly unknown[])[] = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries)
}

/** A word, if it is one of the given ones. */
export function oneOf<Word extends string>(word: string | undefined, words: readonly Word[]): Word | undefined {
  return words.find(each => each === word)
}

/** Keys that a spec cannot have. */
const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', '<<'])

/** Entries of annotations by their names, without names that cannot be keys of a spec. */
export function safeRecord<Entry>(entries: Iterable<readonly [string, Entry]>): Readonly<Record<string, Entry>> {
  return record([...entries].filter(([name]) => !forbiddenKeys.has(name)))
}

/**
 * One order that is consistent with several lists. Items without a required order follow the order of the lists. Orders that
 * contradict each other are kept as far as possible.
 */
export function mergeOrders(lists: readonly (readonly string[])[]): readonly string[] {
  const before = new Map<string, string[]>()
  for (const list of lists) {
    for (const [index, name] of list.entries()) {
      const known = before.get(name) ?? []
      const previous = list[index - 1]
      if (previous !== undefined) known.push(previous)
      before.set(name, known)
    }
  }
  const merged = new Set<string>()
  const waiting = new Set<string>()
  for (const name of before.keys()) {
    // Depth first without recursion: predecessors go on top of the stack.
    const path = [name]
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      waiting.add(top)
      const missing = before.get(top)?.find(each => !merged.has(each) && !waiting.has(each))
      if (missing !== undefined) path.push(missing)
      else {
        merged.add(top)
        waiting.delete(top)
        path.pop()
      }
    }
  }
  return [...merged]
}
