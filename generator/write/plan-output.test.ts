import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadSpecText } from '../../spec/language/index.js'
import { countFiles, planDiff, planOutput, staleFiles, writeOutput } from '../index.js'
import { wrongImportExtensions } from './plan-output.js'

const spec = (paths: string) => `
specwright: 1
service: { name: shop, version: v1 }
resources:
  item: { kind: entityType, key: [id], properties: { id: { type: String } } }
container: { items: { entitySet: item } }
paths:
${paths}
errors: { notFound: { status: 404, code: notFound, message: Not found. } }
`

const listed = spec('  /items: { get: {} }')
const readToo = spec('  /items: { get: {} }\n  /items/{id}: { get: {} }')

let root: string
let out: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'specwright-output-'))
  out = join(root, 'api')
})
afterEach(() => rm(root, { recursive: true, force: true }))

const plan = (text: string, options = {}) => planOutput(loadSpecText(text, 'shop.yaml'), { out, ...options })

async function generate(text: string, options = {}) {
  const planned = await plan(text, options)
  if (planned.plan === undefined) throw new Error(planned.diagnostics.map(({ message }) => message).join())
  expect(await writeOutput(planned.plan)).toEqual([])
  return { counts: countFiles(planned.plan), ...planned }
}

const types = { only: ['types'] } as const
const server = { only: ['types', 'server'], runtime: '../runtime' } as const

describe('the output of a spec', () => {
  it('is written once, and is then up to date', async () => {
    expect((await generate(listed, types)).counts).toMatchObject({ files: 1, created: 1 })
    const again = await generate(listed, types)
    expect(again.counts).toMatchObject({ files: 1, unchanged: 1 })
    expect(again.plan && staleFiles(again.plan)).toEqual([])
    expect(again.plan && planDiff(again.plan)).toBe('')
  })

  it('includes the runtime while it needs it, and removes it afterwards', async () => {
    await generate(listed, { only: ['client'] })
    expect(await readdir(out)).toEqual(['client.ts', 'runtime', 'types.ts'])
    const { counts } = await generate(listed, types)
    expect(counts.deleted).toBe(2)
    expect(await readdir(out)).toEqual(['types.ts'])
  })

  it('warns about imports in the user’s files that use the former extension of generated files', async () => {
    await generate(listed, server)
    const warnings = async (options: object) =>
      (await plan(listed, { ...server, ...options })).diagnostics.map(
        ({ severity, code, path, location: place, message }) =>
          `${severity} ${code} ${path.slice(out.length + 1)}:${place.line} ${message}`,
      )
    expect(await warnings({})).toEqual([])
    const file = 'handlers/index.ts'
    const wrong = `warning output/imports ${file}:1 ${file} imports '../server.js' and 2 more with that extension. The compiler resolves them, but they fail at run time.`
    expect(await warnings({ importExtension: 'ts' })).toContain(
      `${wrong} Write '../server.ts', as the generated files do.`,
    )
    expect(await warnings({ importExtension: 'none' })).toContain(
      `${wrong} Write '../server', as the generated files do.`,
    )
    await rm(out, { recursive: true })
    await generate(listed, { ...server, importExtension: 'ts' })
    expect(await warnings({ importExtension: 'ts' })).toEqual([])
  })

  it('replaces one part of the runtime with the other', async () => {
    await generate(listed, { only: ['client'] })
    await generate(listed, { only: ['server'] })
    expect(await readdir(join(out, 'runtime'))).toEqual(['server.ts'])
    await generate(listed, { only: ['client'] })
    expect(await readdir(join(out, 'runtime'))).toEqual(['client.ts'])
  })

  it('touches nothing when the spec has errors', async () => {
    await generate(listed, types)
    const before = await readFile(join(out, 'types.ts'), 'utf8')
    const { plan: none, diagnostics } = await plan(listed.replace('type: String', 'type: Strng'), types)
    expect(none).toBeUndefined()
    expect(diagnostics.map(({ severity }) => severity)).toContain('error')
    expect(await readFile(join(out, 'types.ts'), 'utf8')).toBe(before)
  })

  it('stops at a foreign file, and reports its location', async () => {
    await mkdir(out)
    await writeFile(join(out, 'types.ts'), 'export type Mine = 1\n')
    const { plan: none, diagnostics } = await plan(listed, types)
    expect(none).toBeUndefined()
    expect(diagnostics).toEqual([
      {
        severity: 'error',
        code: 'output/foreign',
        message:
          'types.ts would be generated, but it does not carry the header of a generated file. Move it away, or generate into another folder.',
        path: join(out, 'types.ts'),
        location: { line: 1, column: 1, offset: 0, length: 0 },
        related: [],
      },
    ])
  })

  it('is rejected when the output folder is a file', async () => {
    await writeFile(out, '')
    const { diagnostics } = await plan(listed, types)
    expect(diagnostics.map(({ code }) => code)).toEqual(['output/no-folder'])
    // Several files would go there; the folder is named once.
    expect((await plan(listed, { only: ['client'] })).diagnostics).toHaveLength(1)
  })
})

describe('handler files', () => {
  it('are written once, and then are the user’s', async () => {
    await generate(listed, server)
    const path = join(out, 'handlers/items.ts')
    await writeFile(path, '// mine\n')
    await generate(readToo, server)
    expect(await readFile(path, 'utf8')).toBe('// mine\n')
  })

  it('get stubs for new operations on request, and keep every other byte', async () => {
    await generate(listed, server)
    const path = join(out, 'handlers/items.ts')
    const edited = (await readFile(path, 'utf8'))
      .replace('list: notImplemented,', 'list: () => ({ value: [] }), // all\t')
      .replaceAll('\n', '\r\n')
    await writeFile(path, edited)
    const { addedHandlers, counts } = await generate(readToo, { ...server, addHandlers: true })
    expect(addedHandlers).toEqual(['items.get'])
    expect(counts.updated).toBeGreaterThan(0)
    const stub = ['', '  /** GET /items/{id} */', '  get: notImplemented,', ''].join('\r\n')
    expect(await readFile(path, 'utf8')).toBe(edited.replace(/\}\r\n$/, `${stub}}\r\n`))
    expect((await generate(readToo, { ...server, addHandlers: true })).addedHandlers).toEqual([])
  })

  it('that are not UTF-8 keep every byte, with a warning', async () => {
    await generate(listed, server)
    const path = join(out, 'handlers/items.ts')
    const bytes = Buffer.concat([Buffer.from('// caf\xe9\n', 'latin1'), await readFile(path)])
    await writeFile(path, bytes)
    const { diagnostics, addedHandlers } = await generate(readToo, { ...server, addHandlers: true })
    expect(addedHandlers).toEqual([])
    expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'output/handlers', path }])
    expect(await readFile(path)).toEqual(bytes)
  })

  it('that cannot be parsed stay unchanged, with a warning at the line', async () => {
    await generate(listed, server)
    const path = join(out, 'handlers/items.ts')
    await writeFile(path, 'import { base } from "./base.js"\nexport const items = {\n  ...base,\n}\n')
    const { diagnostics, addedHandlers } = await generate(readToo, { ...server, addHandlers: true })
    expect(addedHandlers).toEqual([])
    expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'output/handlers', path, location: { line: 3 } }])
  })
})

const outputs = new Set(['types.ts', 'server.ts', 'handlers/context.ts', 'runtime/server.ts', 'runtime/client.js'])
const found = (text: string, extension: 'js' | 'ts' | 'none' = 'ts') =>
  wrongImportExtensions('handlers/lists.ts', text, extension, outputs).map(
    ({ line, specifier, expected }) => `${line} ${specifier} ${expected}`,
  )

describe('imports of generated files with another extension', () => {
  it.each([
    ["import { notImplemented } from '../server.js'", '1 ../server.js ../server.ts'],
    ["// mine\n\nimport type { Context } from './context.js'", '3 ./context.js ./context.ts'],
    ["import {\n  listRows,\n} from '../runtime/server.js'", '3 ../runtime/server.js ../runtime/server.ts'],
    ['export * from "../types.js"', '1 ../types.js ../types.ts'],
    ["import '../types.js'", '1 ../types.js ../types.ts'],
    ["const types = await import('../types.js')", '1 ../types.js ../types.ts'],
  ])('%j', (text, expected) => expect(found(text)).toEqual([expected]))

  it.each([
    ['with the ending that is meant', "import '../server.ts'"],
    ['of JavaScript that is generated', "import '../runtime/client.js'"],
    ['of files of the user’s', "import '../store.js'"],
    ['of what only ends in that path', "import '../../server.js'"],
    ['of packages', "import 'server.js'"],
  ])('not %s', (_, text) => expect(found(text)).toEqual([]))

  it('may end in .js if the generated imports do, and must have no extension if those have none', () => {
    expect(found("import '../server.js'", 'js')).toEqual([])
    expect(found("import '../server.js'", 'none')).toEqual(['1 ../server.js ../server'])
  })
})
