import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ts } from 'ts-morph'
import { describe, expect, it } from 'vitest'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** Room -> the rooms it may import from, beside itself. Tests and test material may look anywhere. */
const dependencyRules: Readonly<Record<string, readonly string[]>> = {
  'runtime/query': [],
  'runtime/client': ['runtime/query'],
  'runtime/server': ['runtime/query'],
  'spec/language': ['runtime/query'],
  generator: ['spec/language'],
  reference: ['spec/language', 'runtime/server', 'runtime/query'],
  conformance: ['spec/language', 'runtime/query'],
  generated: ['runtime/query', 'runtime/client', 'runtime/server'],
  bin: ['spec/language', 'generator', 'reference', 'conformance', 'runtime/query', 'runtime/server', 'runtime/client'],
}

/** Room -> what it may import that is not ours. A room that is absent may import nothing. */
const packages: Readonly<Record<string, readonly string[]>> = {
  'spec/language': ['node:', 'ajv', 'js-yaml', 'yaml'],
  generator: ['node:', 'handlebars', 'saxes', 'ts-morph'],
  reference: ['node:', 'kysely', 'better-sqlite3', 'better-sqlite3-napi', 'pg', 'jose', 'hono', '@hono/node-server'],
  conformance: ['node:', 'fast-check', 'handlebars'],
  bin: ['node:', 'commander'],
}

const folders = Object.keys(dependencyRules)

function sourceFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return entry.name === 'testing' ? [] : sourceFiles(path)
    return /\.ts$/.test(entry.name) && !/\.test(-d)?\.ts$/.test(entry.name) ? [path] : []
  })
}

const importsOf = (file: string): string[] =>
  ts.preProcessFile(readFileSync(join(root, file), 'utf8'), true, true).importedFiles.map(found => found.fileName)

const existingFolders = folders.filter(room => {
  try {
    return readdirSync(join(root, room)).length > 0
  } catch {
    return false
  }
})

const folderOf = (path: string): string | undefined =>
  folders.find(room => path === room || path.startsWith(`${room}/`))

describe('the arrows between the rooms of the house', () => {
  it.each(existingFolders)('%s imports only from where its arrows point', room => {
    const strays = sourceFiles(room).flatMap(file =>
      importsOf(file).flatMap(specifier => {
        if (!specifier.startsWith('.')) {
          const allowed = packages[room] ?? []
          const known = allowed.some(name =>
            name.endsWith(':') ? specifier.startsWith(name) : specifier === name || specifier.startsWith(`${name}/`),
          )
          return known ? [] : [`${file} imports ${specifier}`]
        }
        const target = relative(root, resolve(root, dirname(file), specifier))
          .split(sep)
          .join('/')
        const targetRoom = folderOf(target)
        if (targetRoom === room || (targetRoom !== undefined && dependencyRules[room]?.includes(targetRoom))) return []
        return [`${file} imports ${target}`]
      }),
    )
    expect(strays).toEqual([])
  })

  it('sees an import that crosses a wall', () => {
    expect(importsOf('tests/architecture.test.ts')).toContain('vitest')
    expect(folderOf('runtime/query/ast.js')).toBe('runtime/query')
    expect(folderOf('templates/types.hbs')).toBeUndefined()
  })
})
