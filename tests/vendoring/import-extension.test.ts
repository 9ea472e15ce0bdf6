import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generate, type ImportExtension } from '../../generator/index.js'
import { root } from '../root.js'
import { type EmptyProject, emptyProject } from './project.js'

const path = join(root, 'spec', 'library.yaml')
const source = { path, text: readFileSync(path, 'utf8') }
const endings: Readonly<Record<ImportExtension, string>> = { js: '.js', ts: '.ts', none: '' }

const compilerOptions: Readonly<Record<ImportExtension, Readonly<Record<string, unknown>>>> = {
  js: {},
  ts: { rewriteRelativeImportExtensions: true },
  none: { module: 'esnext', moduleResolution: 'bundler' },
}

const main = (ending: string): string => `
import { createLibrary } from './api/client${ending}'
import { handlers } from './api/handlers/index${ending}'
import { createLibrary as createService } from './api/server${ending}'
const branches = { list: () => ({ value: [{ code: 'N', name: 'North' }] }) }
const service = createService({ ...handlers, branches }, {})
const library = createLibrary({
  baseUrl: 'https://library.example/v1',
  fetch: (url, request) => service(new Request(url, request)),
})
const since = '2026-01-01'
const loans = await library.members.loans.list('1', { filter: f => f.gt('due', since) }).page().result()
for await (const { name } of library.branches.list()) console.log(name, loans.ok)
`

describe.each(
  (['js', 'ts', 'none'] as const).flatMap(extension =>
    [false, true].map(compiledRuntime => ({ extension, compiledRuntime })),
  ),
)('output whose imports end in $extension, compiled runtime: $compiledRuntime', ({ extension, compiledRuntime }) => {
  const { files } = generate(source, {
    importExtension: extension,
    compiledRuntime,
    only: ['types', 'client', 'server'],
  })
  let project: EmptyProject
  beforeAll(async () => {
    project = await emptyProject(
      [
        ...files.map(file => ({ ...file, path: `api/${file.path}` })),
        { path: 'main.ts', text: main(endings[extension]) },
      ],
      { compilerOptions: compilerOptions[extension] },
    )
  })
  afterAll(() => project.remove())

  it('has that extension in every import, except for JavaScript that is imported as TypeScript', () => {
    const specifiers = files.flatMap(({ text }) => [...text.matchAll(/ from '(\.[^']*)'$/gm)].map(([, found]) => found))
    const expected = new Set<string | undefined>([endings[extension]])
    if (extension === 'ts' && compiledRuntime) expected.add('.js')
    expect(new Set(specifiers.map(specifier => /(?:\.[a-z]+)?$/.exec(specifier ?? '')?.[0]))).toEqual(expected)
    expect(specifiers.length).toBeGreaterThan(20)
  })

  it('compiles under the strictest flags', async () => {
    expect(await project.compile('strictest')).toBe('')
  })

  it('runs after bundling', async () => {
    expect(await project.runBundled('main.ts')).toBe('North false\n')
  })

  if (extension === 'ts') {
    it('runs after compilation, because the compiler changes the extensions', async () => {
      expect(await project.compile('loosest')).toBe('')
      if (compiledRuntime) await project.copyToOutput('api/runtime')
      expect(await project.run('main.js')).toBe('North false\n')
    })
  }
})

it('a compiled runtime can be excluded from the JavaScript that a project checks', async () => {
  const { files } = generate(source, { compiledRuntime: true, only: ['types', 'client', 'server'] })
  const vendored = files.map(file => ({ ...file, path: `api/${file.path}` }))
  const program = { path: 'main.js', text: 'export const wrong = parameter => parameter\n' }
  const compilerOptions = { allowJs: true, checkJs: true }
  const project = await emptyProject([...vendored, program], { compilerOptions, exclude: ['api/runtime'] })
  try {
    const said = (await project.compile('usual')).split('\n').filter(line => line !== '')
    expect(said.map(line => line.replace(/\(.*/, ''))).toEqual(['main.js'])
  } finally {
    await project.remove()
  }
})
