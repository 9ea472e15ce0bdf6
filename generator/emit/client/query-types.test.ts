import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ts } from 'ts-morph'
import { describe, expect, it } from 'vitest'
import { packageFolder } from '../../../spec/language/index.js'
import { canonicalFunctionsModule } from './callable-functions.js'
import { builderMembers } from './query-types.js'

/** The members of an interface of the client's runtime. */
function members(file: string, name: string): readonly string[] {
  const text = readFileSync(join(packageFolder('runtime'), 'client', file), 'utf8')
  const found = ts
    .createSourceFile(file, text, ts.ScriptTarget.Latest)
    .statements.filter(ts.isInterfaceDeclaration)
    .find(declaration => declaration.name.text === name)
  return (found?.members ?? []).flatMap(({ name: member }) => (member && ts.isIdentifier(member) ? [member.text] : []))
}

describe('the functions that the filter builder calls by name', () => {
  it('are those of the query language, as `npm run docs` writes them', () => {
    const text = readFileSync(join(packageFolder('runtime'), 'client', 'canonical-functions.ts'), 'utf8')
    expect(text).toBe(canonicalFunctionsModule())
  })
})

describe('builderMembers', () => {
  it('knows every member of the filter builder, and every function that it calls by name', () => {
    const offered = [
      ...members('filter.ts', 'FilterBuilder').filter(name => name !== 'call' && name !== 'raw'),
      ...members('canonical-functions.ts', 'CanonicalFunctions'),
    ]
    expect(offered.length).toBeGreaterThan(25)
    const every = Object.fromEntries(offered.map(name => [name.toLowerCase(), 'optional' as const]))
    const capabilities = {
      support: 'optional',
      operators: every,
      functions: every,
      lambdas: every,
      properties: {},
    } as const
    expect([...builderMembers(capabilities)].sort()).toEqual([...offered].sort())
  })

  it('leaves out what is not supported', () => {
    const capabilities = {
      support: 'optional',
      operators: { eq: 'required', ne: 'none' },
      functions: { startswith: 'optional', unheardof: 'optional' },
      lambdas: {},
      properties: {},
    } as const
    expect(builderMembers(capabilities)).toEqual(['eq', 'startsWith'])
  })
})
