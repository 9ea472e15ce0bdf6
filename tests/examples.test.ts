import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { oneChecker, strictest } from '../generator/testing/compile-errors.js'
import { root } from './root.js'

interface Manifest {
  readonly private?: boolean
  readonly engines?: Readonly<Record<string, string>>
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

const folder = join(root, 'examples')
const textOf = (...path: readonly string[]): string => readFileSync(join(...path), 'utf8')
const manifestOf = (...path: readonly string[]): Manifest => JSON.parse(textOf(...path, 'package.json'))

const examples = readdirSync(folder).filter(name => existsSync(join(folder, name, 'package.json')))
const vendoring = examples.filter(name => existsSync(join(folder, name, 'specwright.yaml')))
/** `npm run prisma` installs it, and generates the client of the example. */
const hasPrisma = existsSync(join(root, 'node_modules', '@prisma', 'client')) || process.env['PRISMA'] === 'required'
const servers = examples.filter(name => name.startsWith('server-'))

/** The errors that the compiler reports for a project; empty if there are none. */
function compile(project: string): Promise<string> {
  const compiler = join(root, 'node_modules', '.bin', 'tsc')
  return promisify(execFile)(compiler, ['-p', project, '--noEmit', ...oneChecker]).then(
    () => '',
    (error: unknown) => (error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error)),
  )
}

describe('the examples', () => {
  it('are all listed in their README', () => {
    const listed = [...textOf(folder, 'README.md').matchAll(/^\| \[([\w-]+)\]\(\1\) \|/gm)].map(([, name]) => name)
    expect(listed.sort()).toEqual([...examples, 'directory'].sort())
  })

  it('use the same versions of packages as each other and as this repository', () => {
    const own = { ...manifestOf(root).dependencies, ...manifestOf(root).devDependencies }
    const required = examples.flatMap(name => {
      const { dependencies, devDependencies } = manifestOf(folder, name)
      return Object.entries({ ...dependencies, ...devDependencies }).map(([of, version]) => ({ name, of, version }))
    })
    // The other generators need the compiler's JavaScript API, which version 7 does not have.
    const checked = required.filter(({ name, of }) => !(name === 'openapi-generators' && of === 'typescript'))
    const differing = checked.filter(
      ({ of, version }) =>
        of !== 'specwright' && (own[of] ?? checked.find(other => other.of === of)?.version) !== version,
    )
    expect(differing).toEqual([])
  })

  it('that are servers differ only in how they mount the service', () => {
    const [first = '', ...others] = servers
    const same = ['todo.yaml', 'src/service.ts', 'src/api/handlers/tasks.ts', 'test/contract.ts', 'test/port-of.ts']
    for (const path of same) {
      for (const other of others)
        expect([other, textOf(folder, other, path)]).toEqual([other, textOf(folder, first, path)])
    }
  })
})

describe.each(examples)('examples/%s', name => {
  it('is a separate project with a README and tests', () => {
    const { private: isPrivate, engines, scripts } = manifestOf(folder, name)
    expect([isPrivate, engines]).toEqual([true, { node: manifestOf(root).engines?.['node'] }])
    expect(scripts?.['test']).toContain('vitest run')
    expect(textOf(folder, name, 'README.md')).toContain('npm test')
    expect(readdirSync(join(folder, name, 'test')).some(file => file.endsWith('.test.ts'))).toBe(true)
  })
})

// `npm run examples` generates the code of all but the showcase, which tests/generated/golden-files.test.ts compares.
describe.each(vendoring)('examples/%s', name => {
  const at = join(folder, name)

  it('generates code that needs no package', () => {
    const files = readdirSync(join(at, 'src', 'api'), { recursive: true, encoding: 'utf8' })
    const sources = files.filter(file => file.endsWith('.ts'))
    const imported = sources.flatMap(file =>
      [...textOf(at, 'src', 'api', file).matchAll(/^(?:import|export)\b[^']*? from '([^']+)'/gm)].map(
        ([, from]) => from,
      ),
    )
    expect(imported.length).toBeGreaterThan(sources.length / 2)
    expect(imported.filter(from => !/^\.{1,2}\//.test(from ?? ''))).toEqual([])
  })

  it('compiles under the strictest flags, with its tests', async () => {
    const { compilerOptions } = JSON.parse(textOf(at, 'tsconfig.json'))
    // The types of a Drizzle schema and of Prisma's client are inferred, which isolated declarations forbid.
    const { isolatedDeclarations, ...others } = strictest
    expect(compilerOptions).toMatchObject(/-(?:drizzle|prisma)$/.test(name) ? others : strictest)
    if (name === 'database-prisma' && !hasPrisma) return
    const projects = [at, join(at, 'test')].filter(project => existsSync(join(project, 'tsconfig.json')))
    expect(await Promise.all(projects.map(compile))).toEqual(projects.map(() => ''))
  })
})
