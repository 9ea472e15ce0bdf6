import { describe, expect, it } from 'vitest'
import { misfitImports } from './misfit-imports.js'

const outputs = new Set(['types.ts', 'server.ts', 'handlers/context.ts', 'runtime/server.ts', 'runtime/client.js'])
const found = (text: string, extension: 'js' | 'ts' | 'none' = 'ts') =>
  misfitImports('handlers/lists.ts', text, extension, outputs).map(
    ({ line, specifier, expected }) => `${line} ${specifier} ${expected}`,
  )

describe('imports of generated files with another ending', () => {
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

  it('are right where imports end in .js, and are to have none where they have none', () => {
    expect(found("import '../server.js'", 'js')).toEqual([])
    expect(found("import '../server.js'", 'none')).toEqual(['1 ../server.js ../server'])
  })
})
