import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type GeneratedFile, generate, type ImportExtension } from '../../generator/index.js'
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

interface Output {
  readonly compiledRuntime: boolean
  readonly folder: string
  readonly files: readonly GeneratedFile[]
}

/** The output with a compiled runtime, and that with one in TypeScript, in folders of one project: they are compiled together. */
function outputsWith(importExtension: ImportExtension): readonly Output[] {
  return [false, true].map(compiledRuntime => {
    const options = { importExtension, compiledRuntime, only: ['types', 'client', 'server'] as const }
    return {
      compiledRuntime,
      folder: compiledRuntime ? 'compiled' : 'typescript',
      files: generate(source, options).files,
    }
  })
}

describe.each(['js', 'ts', 'none'] as const)('output whose imports end in %s', extension => {
  const outputs = outputsWith(extension)
  let project: EmptyProject
  beforeAll(async () => {
    project = await emptyProject(
      outputs.flatMap(({ folder, files }) => [
        ...files.map(file => ({ ...file, path: `${folder}/api/${file.path}` })),
        { path: `${folder}/main.ts`, text: main(endings[extension]) },
      ]),
      { compilerOptions: compilerOptions[extension] },
    )
  })
  afterAll(() => project.remove())

  it('compiles under the strictest flags', async () => {
    expect(await project.compile('strictest')).toBe('')
  })

  it.each(outputs)(
    'has that extension in every import, except for JavaScript that is imported as TypeScript, compiled runtime: $compiledRuntime',
    ({ files, compiledRuntime }) => {
      const specifiers = files.flatMap(({ text }) =>
        [...text.matchAll(/ from '(\.[^']*)'$/gm)].map(([, found]) => found),
      )
      const expected = new Set<string | undefined>([endings[extension]])
      if (extension === 'ts' && compiledRuntime) expected.add('.js')
      expect(new Set(specifiers.map(specifier => /(?:\.[a-z]+)?$/.exec(specifier ?? '')?.[0]))).toEqual(expected)
      expect(specifiers.length).toBeGreaterThan(20)
    },
  )

  it.each(outputs)('runs after bundling, compiled runtime: $compiledRuntime', async ({ folder }) => {
    expect(await project.runBundled(`${folder}/main.ts`)).toBe('North false\n')
  })

  if (extension === 'ts') {
    it('runs after compilation, because the compiler changes the extensions', async () => {
      expect(await project.compile('loosest')).toBe('')
      await project.copyToOutput('compiled/api/runtime')
      for (const { folder } of outputs) expect(await project.run(`${folder}/main.js`)).toBe('North false\n')
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
