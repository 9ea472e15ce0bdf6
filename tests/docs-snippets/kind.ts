import type { Fence } from './fence.js'

/** What is done with a block to check it. */
export type Kind =
  /** YAML that is a sound spec, completed by the hidden text; with a name, code is generated from it for the page's snippets. */
  | { readonly kind: 'spec'; readonly name: string | undefined }
  /** YAML that is a sound spec together with all other parts on the page. */
  | { readonly kind: 'part' }
  /** A file that the page's commands find. */
  | { readonly kind: 'file'; readonly path: string }
  /** A file of the page's project, whole. */
  | { readonly kind: 'writes'; readonly path: string }
  /** What is done to a file of the page's project: lines that are there, and lines to add and to take away. */
  | { readonly kind: 'changes'; readonly path: string }
  /** TypeScript that compiles, behind the hidden text; that runs, too, and has the results that it tells. */
  | { readonly kind: 'compiles' }
  | { readonly kind: 'runs' }
  /** Commands, and how the last of them ends. */
  | { readonly kind: 'commands'; readonly exit: number }
  /** A command that serves until it is told to stop, and then ends well. */
  | { readonly kind: 'serves' }
  /** A command that serves while what follows on the page is done, until another does. */
  | { readonly kind: 'serves on' }
  /** What the commands before print; where it is elided, `…` stands for any text, on a line of its own for any lines. */
  | { readonly kind: 'output'; readonly elided: boolean }
  /** A drawing: nothing in it can be run. */
  | { readonly kind: 'drawing' }
  /** What is said of the page's spec when one text in it is replaced by another. */
  | { readonly kind: 'diagnostics'; readonly found: string; readonly replacement: string }

const spelling: readonly {
  readonly languages: readonly string[]
  readonly pattern: RegExp
  readonly read: (match: readonly (string | undefined)[]) => Kind
}[] = [
  { languages: ['yaml'], pattern: /^(?:spec(?: (\w+))?)?$/, read: ([, name]) => ({ kind: 'spec', name }) },
  { languages: ['yaml'], pattern: /^part of the page's spec$/, read: () => ({ kind: 'part' }) },
  { languages: ['yaml', 'ts'], pattern: /^file (\S+)$/, read: ([, path = '']) => ({ kind: 'file', path }) },
  {
    languages: ['ts', 'json'],
    pattern: /^writes (\S+)$/,
    read: ([, path = '']) => ({ kind: 'writes', path }),
  },
  { languages: ['diff'], pattern: /^changes (\S+)$/, read: ([, path = '']) => ({ kind: 'changes', path }) },
  { languages: ['ts'], pattern: /^compiles$/, read: () => ({ kind: 'compiles' }) },
  { languages: ['ts'], pattern: /^(?:runs)?$/, read: () => ({ kind: 'runs' }) },
  {
    languages: ['sh'],
    pattern: /^(?:exits (\d+))?$/,
    read: ([, exit = '0']) => ({ kind: 'commands', exit: Number(exit) }),
  },
  { languages: ['sh'], pattern: /^serves$/, read: () => ({ kind: 'serves' }) },
  { languages: ['sh'], pattern: /^serves on$/, read: () => ({ kind: 'serves on' }) },
  {
    languages: ['', 'text', 'diff', 'json'],
    pattern: /^output(, … for anything)?$/,
    read: ([, elided]) => ({ kind: 'output', elided: elided !== undefined }),
  },
  { languages: [''], pattern: /^none, a drawing$/, read: () => ({ kind: 'drawing' }) },
  {
    languages: [''],
    pattern: /^said when `([^`]+)` is `([^`]+)`$/,
    read: ([, found = '', replacement = '']) => ({ kind: 'diagnostics', found, replacement }),
  },
]

/** How a block is checked. Throws for one that nothing checks. */
export function kindOf({ page, line, language, check }: Fence): Kind {
  for (const { languages, pattern, read } of spelling) {
    const match = languages.includes(language) ? pattern.exec(check.words ?? '') : null
    if (match !== null) return read(match)
  }
  throw new Error(`${page}:${line}: nothing checks a block of "${language}" by "${check.words ?? ''}"; see kind.ts.`)
}
