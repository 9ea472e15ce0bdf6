import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../root.js'
import { checkKindOf, codeBlocksOf } from './page.js'

const example = join(root, 'examples', 'database-kysely')
const textOf = (path: string): string => readFileSync(join(example, path), 'utf8')

describe('the recipe for your own database', () => {
  const files = codeBlocksOf('docs/own-database.md').flatMap(block => {
    const kind = checkKindOf(block)
    return kind.kind === 'example' ? [{ path: kind.path, text: block.text }] : []
  })

  it('shows the files of the examples, whose tests run them against PostgreSQL', () => {
    expect(files.map(({ path }) => path)).toEqual([
      'examples/database-kysely/src/database.ts',
      'examples/database-kysely/src/tables.ts',
      'examples/database-kysely/src/service.ts',
      'examples/database-kysely/src/main.ts',
      'examples/database-drizzle/src/mapping.ts',
      'examples/database-prisma/src/mapping.ts',
    ])
    for (const { path, text } of files) expect(`${text}\n`).toBe(readFileSync(join(root, path), 'utf8'))
    expect(existsSync(join(example, 'test', 'conformance.test.ts'))).toBe(true)
  })

  it('takes less than 150 lines of code', () => {
    const lines = ['src/database.ts', 'src/main.ts', 'src/service.ts', 'src/tables.ts'].flatMap(path =>
      textOf(path).trimEnd().split('\n'),
    )
    expect(lines.length).toBeLessThan(150)
  })
})
