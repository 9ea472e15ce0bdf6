import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { notesProject, runCommand } from '../testing/run-command.js'
import { temporaryFolders } from '../testing/temporary-folder.js'
import { detectProject } from './detect-project.js'

const folder = temporaryFolders()

/** A project with files: texts, or data as JSON. */
function projectOf(files: Readonly<Record<string, unknown>>): string {
  const path = folder()
  for (const [name, content] of Object.entries({ 'package.json': {}, ...files })) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return path
}

const detected = (files: Readonly<Record<string, unknown>>, out = 'src/api') =>
  detectProject(join(projectOf(files), out))

const packageOf = (names: readonly string[], more: object = {}): object => ({
  ...more,
  devDependencies: Object.fromEntries(names.map(name => [name, '1'])),
})

const options = (compilerOptions: object, more: object = {}): object => ({ ...more, compilerOptions })

describe('the tools of a project', () => {
  it.each<readonly [string, Readonly<Record<string, unknown>>, object]>([
    ['nothing', {}, { found: [] }],
    [
      'Next.js 15',
      {
        'package.json': { dependencies: { next: '15.5.0', react: '19' } },
        'tsconfig.json': options({ target: 'ES2017', allowJs: true, noEmit: true, moduleResolution: 'bundler' }),
      },
      { importExtension: 'none', compiledRuntime: true, found: ['Next.js in package.json'] },
    ],
    [
      'Vite with project references',
      {
        'package.json': packageOf(['vite', 'typescript'], { type: 'module' }),
        'tsconfig.json': { files: [], references: [{ path: './tsconfig.app.json' }] },
        'tsconfig.app.json': options({ target: 'ES2022', noEmit: true, allowImportingTsExtensions: true }),
      },
      { found: [] },
    ],
    [
      'SvelteKit',
      {
        'package.json': packageOf(['@sveltejs/kit', 'vite'], { type: 'module' }),
        'tsconfig.json': options(
          { rewriteRelativeImportExtensions: false },
          { extends: './.svelte-kit/tsconfig.json' },
        ),
        '.svelte-kit/tsconfig.json': options({ rewriteRelativeImportExtensions: true, target: 'es2017' }),
      },
      { found: [] },
    ],
    [
      'SvelteKit, as its template writes it',
      {
        'package.json': packageOf(['@sveltejs/kit', 'vite'], { type: 'module' }),
        'tsconfig.json': options({ moduleResolution: 'bundler' }, { extends: './.svelte-kit/tsconfig.json' }),
        '.svelte-kit/tsconfig.json': options({ rewriteRelativeImportExtensions: true, target: 'es2017' }),
      },
      { found: [] },
    ],
    [
      'Nuxt',
      {
        'package.json': { type: 'module', dependencies: { nuxt: '4', vue: '3' } },
        'tsconfig.json':
          '{ // https://nuxt.com/docs\n "files": [], "references": [{ "path": "./.nuxt/tsconfig.app.json" },] }',
      },
      { found: [] },
    ],
    [
      'NestJS with its Jest',
      {
        'package.json': packageOf(['@nestjs/core', 'jest', 'ts-jest']),
        'tsconfig.json': options({ module: 'nodenext', target: 'ES2023', outDir: './dist' }),
      },
      { importExtension: 'none', found: ['Jest in package.json'] },
    ],
    [
      'Jest with Babel',
      { 'package.json': packageOf(['jest', '@babel/preset-typescript']) },
      { importExtension: 'none', compiledRuntime: true, found: ['Jest with Babel in package.json'] },
    ],
    [
      'Jest where Node.js requires extensions',
      {
        'package.json': packageOf(['jest', 'ts-jest'], { type: 'module' }),
        'tsconfig.json': options({ module: 'NodeNext', outDir: 'dist' }),
      },
      { found: [] },
    ],
    [
      'webpack with ts-loader',
      { 'package.json': packageOf(['webpack', 'ts-loader']) },
      { importExtension: 'none', found: ['webpack with ts-loader in package.json'] },
    ],
    ['Deno', { 'deno.jsonc': '{}' }, { importExtension: 'ts', found: ['Deno in deno.jsonc'] }],
    [
      'TypeScript on Node.js',
      { 'package.json': { type: 'module', scripts: { start: 'node --enable-source-maps src/main.ts' } } },
      { importExtension: 'ts', found: ['TypeScript on Node.js in the scripts of package.json'] },
    ],
    [
      'tsc that rewrites extensions',
      { 'tsconfig.json': options({ rewriteRelativeImportExtensions: true, target: 'es2022' }) },
      { importExtension: 'ts', found: ['"rewriteRelativeImportExtensions" in tsconfig.json'] },
    ],
    [
      'an old target that a package sets',
      {
        'tsconfig.json': options({ noEmit: true }, { extends: '@acme/base' }),
        'node_modules/@acme/base/package.json': { name: '@acme/base' },
        'node_modules/@acme/base/tsconfig.json': options({ target: 'ES2019' }),
      },
      { compiledRuntime: true, found: ['"target": "ES2019" in tsconfig.json'] },
    ],
    [
      'an old target, where the compiler copies no JavaScript',
      { 'tsconfig.json': options({ target: 'es2020', outDir: 'dist' }) },
      { found: [] },
    ],
    ['files that are broken', { 'package.json': '{', 'tsconfig.json': '[]' }, { found: [] }],
    [
      'a tsconfig.json that extends itself',
      { 'tsconfig.json': options({ target: 'es2022' }, { extends: './tsconfig.json' }) },
      { found: [] },
    ],
  ])('are found for %s', (_, files, tools) => {
    expect(detected(files)).toEqual(tools)
  })

  it('are those of the nearest package', () => {
    const files = { 'package.json': packageOf(['next']), 'apps/api/package.json': {} }
    expect(detected(files, 'apps/api/src').found).toEqual([])
    expect(detected(files, 'src/api').importExtension).toBe('none')
  })
})

describe('specwright generate in a project', () => {
  const notes = notesProject()

  it('uses what its tools need, says so in one line, and options override it', async () => {
    const path = notes.project()
    writeFileSync(join(path, 'package.json'), JSON.stringify(packageOf(['next'])))
    const { out, err } = await notes.generate(path, '--only', 'client')
    expect(err).toBe('out: --import-extension none --compiled-runtime, because of Next.js in package.json')
    expect(out).toBe('4 files: 4 created (0 ms)')
    expect((await notes.generate(path, '--only', 'client', '--check')).code).toBe(0)
    const given = await notes.generate(path, '--only', 'client', '--import-extension', 'js')
    expect(given.err).toBe('out: --compiled-runtime, because of Next.js in package.json')
    expect((await notes.generate(path, '--only', 'types')).err).toBe('')
  })

  it('does not compile the runtime if the project file says so', async () => {
    const path = notes.project()
    writeFileSync(join(path, 'package.json'), JSON.stringify(packageOf(['next'])))
    writeFileSync(
      join(path, 'specwright.yaml'),
      'services: [{ spec: spec.yaml, out: out, only: [client], compiledRuntime: false, importExtension: js }]\n',
    )
    const { err, out } = await runCommand(path, 'generate')
    expect([err, out]).toEqual(['', '3 files: 3 created (0 ms)'])
  })
})
