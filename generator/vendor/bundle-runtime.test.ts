import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageFolder } from '../../spec/language/index.js'
import { bundleRuntime } from './bundle-runtime.js'
import { runtimeFiles, runtimeParts } from './runtime-files.js'

/** A runtime of few modules: those named, and whatever else is asked for, empty. */
const bundled = (modules: Readonly<Record<string, string>>) => bundleRuntime(name => modules[name] ?? '')

describe('bundleRuntime', () => {
  it('puts each module after those that it needs at load time, and types anywhere', () => {
    const parts = bundled({
      'client/index.js': "export { a } from './a.js'\n",
      'client/a.js': "import type { C } from './c.js'\nimport { b } from './b.js'\n\nexport const a: C = b\n",
      'client/b.js': '/** B. */\nexport const b = 1\n',
      'client/c.js': "import { a } from './a.js'\n\n// A note.\nexport type C = typeof a\n",
    })
    expect(parts.get('client')).toBe(
      '// client/b.ts\n\n/** B. */\nconst b = 1\n\n// client/a.ts\n\nexport const a: C = b\n\n' +
        '// client/c.ts\n\n// A note.\ntype C = typeof a\n',
    )
    expect(parts.get('server')).toBe('')
  })

  it.each<[string, Readonly<Record<string, string>>, RegExp]>([
    [
      'two modules of a part declare the same name',
      {
        'client/index.js': "import { a } from './a.js'\nconst b = a\n",
        'client/a.js': 'export const a = 1\nconst b = 2\n',
      },
      /two meanings of `b` in one part: client\/a\.js and client\/index\.js/,
    ],
    [
      'a module means the global that another one declares',
      {
        'client/index.js': "import { a } from './a.js'\nexport const b = new Map([[a, a]])\n",
        'client/a.js': 'export const a = 1\nclass Map {}\n',
      },
      /`Map` in one part: the global that client\/index\.js means and client\/a\.js/,
    ],
    ['a name is changed', { 'client/index.js': "import { a as b } from './a.js'\nb()\n" }, /gives another name/],
    ['a module is named', { 'client/index.js': "import * as a from './a.js'\na()\n" }, /names a whole module/],
    ['a default is imported', { 'client/index.js': "import a from './a.js'\na()\n" }, /imports a default/],
    ['a module is loaded for its effects', { 'client/index.js': "import './a.js'\n" }, /for its effects/],
    ['a package is needed', { 'client/index.js': "import { a } from 'a'\na()\n" }, /from outside the runtime/],
    ['names are exported apart', { 'client/index.js': 'const a = 1\nexport { a }\n' }, /exports names apart/],
    [
      'the client imports the query language, which belongs to servers',
      {
        'client/index.js': "import { a } from '../query/a.js'\na()\n",
        'query/a.js': 'export const a = (): number => 1\n',
      },
      /client\/index\.js imports query\/a\.js: the part client must be self-contained/,
    ],
    ['a file is in no part', { 'client/index.js': "import { a } from '../a/b.js'\na()\n" }, /in no part/],
  ])('throws if %s', (_, modules, message) => {
    expect(() => bundled(modules)).toThrow(message)
  })

  it('puts the query language into the part of servers', () => {
    const parts = bundled({
      'server/index.js': "import { type A, b } from '../query/a.js'\nexport const c: A = b\n",
      'query/a.js': 'export type A = 1\nexport const b = 1\n',
    })
    expect(parts.get('server')).toBe(
      '// query/a.ts\n\ntype A = 1\nconst b = 1\n\n// server/index.ts\n\nexport const c: A = b\n',
    )
  })

  it('exports public names and unused names', () => {
    const text = bundled({
      'server/index.js': "export { a } from './a.js'\nexport type * from './b.js'\n",
      'server/a.js': "import { c, d } from '../query/c.js'\nexport const a = c(d)\n",
      'server/b.js': 'export type B = 1\n',
      'query/c.js':
        'export async function c(): void {}\nexport const d = 1\nexport const unused = 2\nexport class E {}\n',
      'query/index.js': "export { d } from './c.js'\nexport { f } from './f.js'\n",
      'query/f.js': 'export const f = 1\n',
    }).get('server')
    expect(text?.match(/^(?:export )?(?:async )?(?:type|class|const|function) \w+/gm)).toEqual([
      'async function c',
      'export const d',
      'export const unused',
      'export class E',
      'export const a',
      'export type B',
    ])
  })

  it('distinguishes member names and local variables from globals', () => {
    const modules = {
      'client/index.js':
        "import { a } from './a.js'\nexport const b = (Map: number, o: { Set: number }) => [Map, o.Set, a]\n",
      'client/a.js': 'export const a = 1\nclass Map {}\nclass Set {}\n',
    }
    expect(bundled(modules).get('client')).toContain('(Map: number')
  })

  it('produces the files of the build', () => {
    const read = (folder: string, file: string): string => readFileSync(join(folder, file), 'utf8')
    const parts = bundleRuntime(name => read(packageFolder('runtime'), name.replace(/\.js$/, '.ts')))
    for (const { path, text } of runtimeFiles(runtimeParts, 'Library', false)) {
      const part = runtimeParts.find(each => path === `runtime/${each}.ts`)
      const isCurrent = part !== undefined && text.endsWith(`\n\n${parts.get(part)}`)
      expect(isCurrent, `${path} in dist/vendored.br is older than runtime/: run npm run build`).toBe(true)
    }
  })
})
