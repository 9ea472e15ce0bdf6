import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { ts } from 'ts-morph'
import { describe, expect, it } from 'vitest'
import { root } from './root.js'

// Tests and test support (`tests/`, `*.test.ts`, `testing/`) may import any module. These rules are about all others.

/** Folder -> the other folders that it may import. */
const dependencyRules: Readonly<Record<string, readonly string[]>> = {
  'runtime/query': [],
  'runtime/client': ['runtime/query'],
  'runtime/server': ['runtime/query'],
  'spec/language': ['runtime/query'],
  generator: ['spec/language'],
  sql: ['spec/language', 'runtime/server', 'runtime/query'],
  reference: ['spec/language', 'runtime/server', 'runtime/query', 'sql'],
  conformance: ['spec/language', 'runtime/query'],
  generated: ['runtime/query', 'runtime/client', 'runtime/server'],
  bin: ['spec/language', 'generator', 'reference', 'conformance', 'runtime/query', 'runtime/server', 'runtime/client'],
}

/** Folder -> the packages that it may import. A folder without an entry may import none. */
const packageRules: Readonly<Record<string, readonly string[]>> = {
  'spec/language': ['node:', 'ajv', 'js-yaml', 'yaml'],
  generator: ['node:', 'handlebars', 'saxes', 'ts-morph'],
  sql: ['node:', 'kysely'],
  reference: ['node:', 'handlebars', 'kysely', '@sqlite.org/sqlite-wasm', 'better-sqlite3', 'pg', 'jose'],
  conformance: ['node:', 'fast-check', 'handlebars'],
  bin: ['node:', 'commander', 'ts-morph'],
}

const folders = Object.keys(dependencyRules)

function modulesIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return entry.name === 'testing' ? [] : modulesIn(path)
    return entry.name.endsWith('.ts') && !/\.test(-d)?\.ts$/.test(entry.name) ? [path] : []
  })
}

/** What a module imports, types included: modules by their path in the repository, packages by their name. */
const importsOf = (path: string): readonly string[] =>
  ts
    .preProcessFile(readFileSync(join(root, path), 'utf8'), true, true)
    .importedFiles.map(({ fileName }) =>
      fileName.startsWith('.') ? posix.join(dirname(path), fileName).replace(/\.js$/, '.ts') : fileName,
    )

const folderOf = (path: string): string | undefined => folders.find(folder => path.startsWith(`${folder}/`))

/** The modules that other folders may import: `index.ts` of each folder, and what package.json exports. */
function entrances(): ReadonlySet<string> {
  const manifest: { readonly exports: Readonly<Record<string, string | { readonly default: string }>> } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )
  const exported = Object.values(manifest.exports).flatMap(target =>
    typeof target === 'string' ? [] : [target.default.replace('./dist/', '').replace(/\.js$/, '.ts')],
  )
  return new Set([...folders.map(folder => `${folder}/index.ts`), ...exported])
}

/** The groups of modules that import each other, directly or through others (Tarjan's algorithm). */
function cycles(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const found: (readonly string[])[] = []
  const indexes = new Map<string, number>()
  const stack: string[] = []
  const visit = (module: string): number => {
    const index = indexes.size
    indexes.set(module, index)
    stack.push(module)
    let lowest = index
    for (const next of graph.get(module) ?? []) {
      if (!graph.has(next)) continue
      if (!indexes.has(next)) lowest = Math.min(lowest, visit(next))
      else if (stack.includes(next)) lowest = Math.min(lowest, indexes.get(next) ?? index)
    }
    if (lowest === index) {
      const component = stack.splice(stack.indexOf(module))
      if (component.length > 1 || graph.get(module)?.includes(module)) found.push(component.toSorted())
    }
    return lowest
  }
  for (const module of graph.keys()) if (!indexes.has(module)) visit(module)
  return found
}

const graph = new Map(folders.flatMap(modulesIn).map(path => [path, importsOf(path)]))

describe('the architecture', () => {
  it.each(folders)('lets %s import only the folders and packages that the rules name', folder => {
    const violations = [...graph].flatMap(([path, imports]) => {
      if (folderOf(path) !== folder) return []
      const forbidden = imports.filter(imported => {
        const target = folderOf(imported)
        if (target !== undefined) return target !== folder && dependencyRules[folder]?.includes(target) !== true
        const allowed = packageRules[folder] ?? []
        return !allowed.some(name =>
          name.endsWith(':') ? imported.startsWith(name) : `${imported}/`.startsWith(`${name}/`),
        )
      })
      return forbidden.map(imported => `${path} imports ${imported}`)
    })
    expect(violations).toEqual([])
  })

  it('lets a folder import another only through its entry points', () => {
    const allowed = entrances()
    const deep = [...graph].flatMap(([path, imports]) =>
      imports.flatMap(imported => {
        const target = folderOf(imported)
        return target === undefined || target === folderOf(path) || allowed.has(imported)
          ? []
          : [`${path} imports ${imported}`]
      }),
    )
    expect(deep).toEqual([])
  })

  it('has no import cycles, not even of types', () => {
    expect(cycles(graph)).toEqual([])
  })

  it('is checked on every import of every module', () => {
    expect(folders.filter(folder => modulesIn(folder).length === 0)).toEqual([])
    const missing = [...graph.values()]
      .flat()
      .filter(path => folderOf(path) !== undefined && !existsSync(join(root, path)))
    expect(missing).toEqual([])
    expect(importsOf('tests/architecture.test.ts')).toEqual(expect.arrayContaining(['vitest', 'tests/root.ts']))
    expect(
      cycles(
        new Map([
          ['a', ['b']],
          ['b', ['c', 'd']],
          ['c', ['a']],
          ['d', []],
        ]),
      ),
    ).toEqual([['a', 'b', 'c']])
  })
})
