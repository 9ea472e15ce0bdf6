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
