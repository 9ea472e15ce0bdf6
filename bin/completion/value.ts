import type { Paths } from './completions.js'

/** What may stand for an argument, or behind an option. */
export type Value =
  /** What nobody but the user knows: a number, a token, a name. */
  | { readonly kind: 'free' }
  | { readonly kind: 'paths'; readonly paths: Paths; readonly words?: readonly string[] }
  /** One of these. */
  | { readonly kind: 'words'; readonly words: Words }
  /** Some of these, with commas between them. */
  | { readonly kind: 'list'; readonly words: Words }
  /** A number, then exceptions for parts of a service: `20,lists=5`. */
  | { readonly kind: 'rows'; readonly words: Words }
  | { readonly kind: 'store' }

/** Names, known once the rest of the line is. */
export type Words = (named: NamedOnLine) => Promise<readonly string[]> | readonly string[]

/** What the rest of a line says that other parts of it depend on. */
export interface NamedOnLine {
  /** The spec that a command reads, as it was given. */
  readonly spec: string | undefined
}
