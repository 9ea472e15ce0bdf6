import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../root.js'

const opening = /^(\s*)(`{3,}|~{3,})\s*(.*)$/
const comment = /<!-- check(?: every (\w+))?: ([^\n]*?)(?:\n([\s\S]*?))?\s*-->\s*$/

/** The code blocks of a page, in order. @throws {Error} if a block is not delimited clearly */
export function codeBlocksOf(page: string): readonly CodeBlock[] {
  const fences: CodeBlock[] = []
  const defaults = new Map<string, Check>()
  const lines = readFileSync(join(root, page), 'utf8').split('\n')
  let before = ''
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    const [, indent = '', marks, language = ''] = opening.exec(line) ?? []
    if (marks === undefined) {
      before += `${line}\n`
      const [, every, words, hidden = ''] = line.trim().endsWith('-->') ? (comment.exec(before) ?? []) : []
      if (every !== undefined) defaults.set(every, { words, hidden })
      continue
    }
    const end = lines.findIndex((text, at) => at > index && text.trimEnd() === indent + marks)
    if (indent !== '' || marks !== '```' || end < 0) {
      throw new Error(`${page}:${index + 1}: write a block between lines of three backticks at the margin.`)
    }
    const text = lines.slice(index + 1, end).join('\n')
    const [, every, words, hidden = ''] = comment.exec(before) ?? []
    const own = words === undefined || every !== undefined ? undefined : { words, hidden }
    const check = own ?? defaults.get(language) ?? { words: undefined, hidden: '' }
    fences.push({ page, line: index + 1, language, text, check })
    before = ''
    index = end
  }
  return fences
}

/** A code block of a page, and how it is checked. */
export interface CodeBlock {
  /** The path of the page in the repository. */
  readonly page: string
  /** The line of its opening fence, from 1. */
  readonly line: number
  /** The info string; may be empty. */
  readonly language: string
  readonly text: string
  readonly check: Check
}

/**
 * How a block is checked: a comment before it says so, or a comment earlier on the page for all blocks of a language:
 *
 *     <!-- check: compiles          this block
 *     <!-- check every ts: runs     all further blocks of the language on this page
 *
 * Further lines of the comment are hidden text that completes the block.
 */
interface Check {
  /** The first line of the comment, without `check:`; undefined without a comment: the default of the language. */
  readonly words: string | undefined
  readonly hidden: string
}

/** How a block is checked. */
export type CheckKind =
  /** A valid spec, completed by the hidden text. With a name, code is generated from it for the snippets of the page. */
  | { readonly kind: 'spec'; readonly name: string | undefined }
  /** A part of a spec that is valid together with all other parts on the page. */
  | { readonly kind: 'part' }
  /** A file for the commands of the page. */
  | { readonly kind: 'file'; readonly path: string }
  /** A complete file of the page's project. */
  | { readonly kind: 'writes'; readonly path: string }
  /** A change of a file of the page's project. */
  | { readonly kind: 'changes'; readonly path: string }
  /** TypeScript that compiles, after the hidden text; or that also runs, with the results that it shows. */
  | { readonly kind: 'compiles' }
  | { readonly kind: 'runs' }
  /** Commands, and the exit code of the last one. */
  | { readonly kind: 'commands'; readonly exit: number }
  /** A command that serves until it is stopped, and then exits with 0. */
  | { readonly kind: 'serves' }
  /** A command that serves until the next such command, or the end of the page. */
  | { readonly kind: 'serves on' }
  /** The output of the previous commands. If it is elided, `…` is any text, and on its own line any lines. */
  | { readonly kind: 'output'; readonly elided: boolean }
  /** The text of a file of an example, whose own tests run it. */
  | { readonly kind: 'example'; readonly path: string }
  /** A recipe for CI, which `ci-recipes.test.ts` runs. */
  | { readonly kind: 'CI recipe'; readonly name: string }
  /** A mount of the generated server, which `mounts.test.ts` compiles and runs. */
  | { readonly kind: 'mount'; readonly name: string }
  /** A recipe for a library, which `query-hooks.test.ts` compiles. */
  | { readonly kind: 'recipe'; readonly name: string }
  /** A drawing, which nothing checks. */
  | { readonly kind: 'drawing' }
  /** The diagnostics for the page's spec after one text in it is replaced. */
  | { readonly kind: 'diagnostics'; readonly found: string; readonly replacement: string }

const directives: readonly {
  readonly languages: readonly string[]
  readonly pattern: RegExp
  readonly read: (match: readonly (string | undefined)[]) => CheckKind
}[] = [
  { languages: ['yaml'], pattern: /^(?:spec(?: (\w+))?)?$/, read: ([, name]) => ({ kind: 'spec', name }) },
  { languages: ['yaml'], pattern: /^part of the page's spec$/, read: () => ({ kind: 'part' }) },
  { languages: ['yaml', 'ts'], pattern: /^file (\S+)$/, read: ([, path = '']) => ({ kind: 'file', path }) },
  {
    languages: ['ts', 'json', 'yaml'],
    pattern: /^writes (\S+)$/,
    read: ([, path = '']) => ({ kind: 'writes', path }),
  },
  { languages: ['ts'], pattern: /^is (examples\/\S+)$/, read: ([, path = '']) => ({ kind: 'example', path }) },
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
  { languages: ['yaml', 'sh'], pattern: /^CI recipe (\w+)$/, read: ([, name = '']) => ({ kind: 'CI recipe', name }) },
  { languages: ['ts'], pattern: /^mount (\w+)$/, read: ([, name = '']) => ({ kind: 'mount', name }) },
  { languages: ['ts'], pattern: /^recipe ([\w-]+)$/, read: ([, name = '']) => ({ kind: 'recipe', name }) },
  { languages: [''], pattern: /^none, a drawing$/, read: () => ({ kind: 'drawing' }) },
  {
    languages: [''],
    pattern: /^said when `([^`]+)` is `([^`]+)`$/,
    read: ([, found = '', replacement = '']) => ({ kind: 'diagnostics', found, replacement }),
  },
]

/** How a block is checked. @throws {Error} if nothing checks it */
export function checkKindOf({ page, line, language, check }: CodeBlock): CheckKind {
  for (const { languages, pattern, read } of directives) {
    const match = languages.includes(language) ? pattern.exec(check.words ?? '') : null
    if (match !== null) return read(match)
  }
  throw new Error(`${page}:${line}: nothing checks a block of "${language}" by "${check.words ?? ''}"; see page.ts.`)
}
