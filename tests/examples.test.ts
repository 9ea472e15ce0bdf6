import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { readProject } from '../bin/project.js'
import { planOutput, staleFiles } from '../generator/index.js'
import { strictest } from '../generator/testing/compile-errors.js'
import { loadSpec } from '../spec/language/index.js'
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
const servers = examples.filter(name => name.startsWith('server-'))

/** What the compiler says of a project; nothing when it is content. */
function compile(project: string): Promise<string> {
  const compiler = join(root, 'node_modules', '.bin', 'tsc')
  return promisify(execFile)(compiler, ['-p', project, '--noEmit']).then(
    () => '',
    (error: unknown) => (error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error)),
  )
}

describe('the examples', () => {
  it('are all in the list of their README', () => {
    const listed = [...textOf(folder, 'README.md').matchAll(/^\| \[([\w-]+)\]\(\1\) \|/gm)].map(([, name]) => name)
    expect(listed.sort()).toEqual([...examples, 'directory'].sort())
  })

  it('take the same versions of the same packages, and those of this repository', () => {
    const own = { ...manifestOf(root).dependencies, ...manifestOf(root).devDependencies }
    const wanted = examples.flatMap(name => {
      const { dependencies, devDependencies } = manifestOf(folder, name)
      return Object.entries({ ...dependencies, ...devDependencies }).map(([of, version]) => ({ name, of, version }))
    })
    // The other generators need the compiler's JavaScript API, which version 7 does not have.
    const free = wanted.filter(({ name, of }) => !(name === 'openapi-generators' && of === 'typescript'))
    const differing = free.filter(
      ({ of, version }) => of !== 'specwright' && (own[of] ?? free.find(other => other.of === of)?.version) !== version,
    )
    expect(differing).toEqual([])
  })

  it('that are servers differ in how they are mounted, and in nothing else', () => {
    const [first = '', ...others] = servers
    const same = ['todo.yaml', 'src/service.ts', 'src/api/handlers/tasks.ts', 'test/contract.ts', 'test/port-of.ts']
    for (const path of same) {
      for (const other of others)
        expect([other, textOf(folder, other, path)]).toEqual([other, textOf(folder, first, path)])
    }
  })
})

describe.each(examples)('examples/%s', name => {
  it('is a project of its own, with a README and tests', () => {
    const { private: isPrivate, engines, scripts } = manifestOf(folder, name)
    expect([isPrivate, engines]).toEqual([true, { node: manifestOf(root).engines?.['node'] }])
    expect(scripts?.['test']).toContain('vitest run')
    expect(textOf(folder, name, 'README.md')).toContain('npm test')
    expect(readdirSync(join(folder, name, 'test')).some(file => file.endsWith('.test.ts'))).toBe(true)
  })
})

describe.each(vendoring)('examples/%s', name => {
  const at = join(folder, name)

  it('has vendored what its spec generates (npm run generate makes it anew)', async () => {
    const { services } = await readProject(at)
    for (const service of services) {
      const { plan, diagnostics } = await planOutput(await loadSpec(service.spec), service)
      expect(diagnostics).toEqual([])
      expect(plan && staleFiles(plan)).toEqual([])
    }
  })

  it('needs no package for what it has vendored', () => {
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

  it('compiles under the strictest flags, its tests too', async () => {
    const { compilerOptions } = JSON.parse(textOf(at, 'tsconfig.json'))
    expect(compilerOptions).toMatchObject(strictest)
    const projects = [at, join(at, 'test')].filter(project => existsSync(join(project, 'tsconfig.json')))
    expect(await Promise.all(projects.map(compile))).toEqual(projects.map(() => ''))
  })
})
