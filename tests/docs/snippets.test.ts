import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evaluate, parseFilter } from '../../runtime/query/index.js'
import { formatDiagnostics, loadSpecText } from '../../spec/language/index.js'
import { root } from '../root.js'
import { runCommands } from './commands.js'
import { type CheckKind, type CodeBlock, checkKindOf, codeBlocksOf } from './page.js'
import { compilePrograms, generatedModules, type Programs, withAssertions } from './programs.js'

// page.ts explains how a page says how its blocks are checked.

const docs = readdirSync(join(root, 'docs')).filter(name => name.endsWith('.md'))
const pages = ['README.md', 'CONTRIBUTING.md', ...docs.map(name => `docs/${name}`)].map(page => ({
  page,
  blocks: codeBlocksOf(page).map(fence => ({ ...fence, kind: checkKindOf(fence) })),
}))

interface Block extends CodeBlock {
  readonly kind: CheckKind
}

/** The blocks with some kinds of checks, each with its location for the name of its test. */
const blocksOf = (...kinds: readonly CheckKind['kind'][]): readonly (readonly [place: string, block: Block])[] =>
  pages.flatMap(({ page, blocks }) =>
    blocks.flatMap(block => (kinds.includes(block.kind.kind) ? [[`${page}:${block.line}`, block] as const] : [])),
  )

const pagesWith = (kind: CheckKind['kind']): readonly string[] => [
  ...new Set(blocksOf(kind).map(([, { page }]) => page)),
]

const wholeSpec = ({ check, text }: CodeBlock): string => `${check.hidden}\n${text}\n`

const partsOf = (page: string): string =>
  blocksOf('part')
    .flatMap(([, block]) => (block.page === page ? [`${block.text}\n`] : []))
    .join('\n')

function diagnosticsOf(spec: string, path: string, format: 'plain' | 'pretty'): string {
  const { source, diagnostics } = loadSpecText(spec, path)
  return formatDiagnostics(diagnostics, { format, sources: [source] }).trimEnd()
}

describe('YAML on the pages', () => {
  it.each(blocksOf('spec'))('%s is a valid spec', (place, block) => {
    expect(diagnosticsOf(wholeSpec(block), place, 'plain')).toBe('')
  })

  it.each(pagesWith('part'))('the parts on %s are a valid spec', page => {
    expect(diagnosticsOf(partsOf(page), page, 'plain')).toBe('')
  })

  it.each(blocksOf('diagnostics'))('%s shows the diagnostics of an error', (_, { page, kind, text }) => {
    const { found, replacement } = kind.kind === 'diagnostics' ? kind : { found: '', replacement: '' }
    const spec = partsOf(page)
    expect(spec.split(found)).toHaveLength(2)
    expect(diagnosticsOf(spec.replace(found, replacement), 'notebook.yaml', 'pretty')).toBe(text)
  })
})

describe('tables of expressions on the pages', () => {
  it('show the values of the expressions', () => {
    const results = expressionTable(readFileSync(join(root, 'docs', 'query-language.md'), 'utf8'))
    expect(results.length).toBeGreaterThan(10)
    expect(results.map(({ found }) => found)).toEqual(results.map(({ expected }) => expected))
  })
})

/**
 * The values in tables with the header `| expression | value |`, each with the actual value. Several expressions in a cell have the
 * same value. `nothing` is a property that is null.
 */
function expressionTable(page: string): readonly { readonly expected: string; readonly found: string }[] {
  const rows = page.split('| expression | value |\n|---|---|\n').slice(1)
  return rows
    .flatMap(text => text.slice(0, text.indexOf('\n\n')).split('\n'))
    .flatMap(line => {
      const [, expressions = '', value = ''] = line.split('|')
      return expressions.split('`, `').map(cell => {
        const expression = cell.replaceAll('`', '').trim()
        const found = JSON.stringify(evaluate(parseFilter(expression), { nothing: null }))
        return { expected: `${expression}: ${value.replaceAll('`', '').trim()}`, found: `${expression}: ${found}` }
      })
    })
}

describe('commands on the pages', () => {
  it.each(pagesWith('commands'))('of %s run, and print what the page shows', async page => {
    const results = await runCommands(codeBlocksOf(page))
    expect(results.map(({ actual }) => actual)).toEqual(results.map(({ expected }) => expected))
  })
})

describe('TypeScript on the pages', () => {
  const moduleOf = ({ page, line }: CodeBlock): string => `${page.replace('docs/', '').replace('.md', '')}-${line}`
  const specText = (name: string): string => readFileSync(join(root, 'spec', name), 'utf8')
  const withoutEnding = (path: string): string => path.replace(/\.ts$/, '')
  const files = blocksOf('file').flatMap(([, { language, kind, text }]) =>
    language === 'ts' && kind.kind === 'file' ? [{ path: withoutEnding(kind.path), text }] : [],
  )
  let programs: Programs
  let failures: ReadonlyMap<string, string>

  beforeAll(async () => {
    const snippets = blocksOf('compiles', 'runs').map(([, block]) => ({
      path: moduleOf(block),
      text: `import { shows, throwing } from './shows.js'\n${block.check.hidden}\n${withAssertions(block.text)}\nexport {}\n`,
    }))
    const specs = blocksOf('spec').flatMap(([, block]) =>
      block.kind.kind === 'spec' && block.kind.name !== undefined
        ? generatedModules(block.kind.name, wholeSpec(block))
        : [],
    )
    programs = await compilePrograms([
      ...generatedModules('todo', specText('starter.yaml')),
      ...generatedModules('directory', specText('directory.yaml')),
      ...generatedModules('library', specText('library.yaml')),
      ...specs,
      ...files,
      ...snippets,
    ])
    failures = await programs.failuresOf(blocksOf('runs').map(([, block]) => moduleOf(block)))
  })
  afterAll(() => programs.remove())

  it.each(blocksOf('compiles', 'runs'))('%s compiles', (_, block) =>
    expect(programs.errorsOf(moduleOf(block))).toBe(''),
  )

  it('compiles in the files of the pages', () => {
    expect(files.map(({ path }) => programs.errorsOf(path)).join('')).toBe('')
  })

  it.each(blocksOf('runs'))('%s runs, with the results it shows', (_, block) =>
    expect(failures.get(moduleOf(block))).toBe(''),
  )
})
