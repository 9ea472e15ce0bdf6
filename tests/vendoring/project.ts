import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import type { GeneratedFile } from '../../generator/index.js'
import { strictest } from '../../generator/testing/compile-errors.js'
import { root } from '../root.js'

const run = promisify(execFile)
const { resolve } = createRequire(import.meta.url)

/** The folder of a package that this folder's own package.json names. */
function packageOf(name: string): string {
  return dirname(resolve(`${name}/package.json`))
}

/**
 * `usual`: what most projects have, `strict` and nothing beyond it. `migrating`: that without `strictNullChecks`. `oldest`: the strictest flags that the oldest compiler
 * knows, with that compiler. `worker`: the types of Cloudflare's workers in place of those of browsers.
 */
export type Flags = 'strictest' | 'usual' | 'migrating' | 'loosest' | 'oldest' | 'worker'

/** An empty TypeScript project in a folder of its own, without any package. */
export interface EmptyProject {
  /** Compiles everything under flags; gives what the compiler prints, nothing when it is content. */
  compile(flags: Flags): Promise<string>
  /** Copies a folder to where compiled files are: what a compiler does not do with JavaScript. */
  copyToOutput(folder: string): Promise<void>
  /** Runs a compiled file; gives what it prints. */
  run(file: string): Promise<string>
  /** Runs a source file as a bundler makes it; gives what it prints. */
  runBundled(file: string): Promise<string>
  remove(): Promise<void>
}

const shared = {
  target: 'es2022',
  lib: ['es2022', 'dom'],
  module: 'nodenext',
  types: [],
  rootDir: '.',
} as const

const { erasableSyntaxOnly: _, ...knownToAll } = strictest

const configurations = {
  strictest: { ...shared, ...strictest, noEmit: true },
  // Without exactOptionalPropertyTypes, what is assignable differs in places.
  usual: { ...shared, strict: true, noEmit: true },
  migrating: { ...shared, strict: true, strictNullChecks: false, noEmit: true },
  oldest: { ...shared, ...knownToAll, noEmit: true },
  worker: { ...shared, ...strictest, lib: ['es2022'], types: [packageOf('@cloudflare/workers-types')], noEmit: true },
  loosest: { ...shared, strict: false, outDir: 'dist' },
} as const

export interface ProjectOptions {
  /** Specwright itself is installed there. */
  readonly withPackage?: boolean
  /** Beside those of each set of flags. */
  readonly compilerOptions?: Readonly<Record<string, unknown>>
  /** Folders that are no part of what is compiled, but for what is imported of them. */
  readonly exclude?: readonly string[]
}

export async function emptyProject(
  files: readonly Pick<GeneratedFile, 'path' | 'text'>[],
  { withPackage = false, compilerOptions: more = {}, exclude = [] }: ProjectOptions = {},
): Promise<EmptyProject> {
  const folder = await mkdtemp(join(tmpdir(), 'specwright-vendored-'))
  const all = [...files, { path: 'package.json', text: '{ "type": "module" }' }]
  for (const { path, text } of all) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  for (const [name, flags] of Object.entries(configurations)) {
    const config = { compilerOptions: { ...flags, ...more }, include: ['**/*'], exclude: ['dist', ...exclude] }
    await writeFile(join(folder, `tsconfig.${name}.json`), JSON.stringify(config))
  }
  if (withPackage) {
    await mkdir(join(folder, 'node_modules'))
    await symlink(root, join(folder, 'node_modules', 'specwright'))
  }
  return {
    compile: async flags => {
      const compiler = join(
        flags === 'oldest' ? packageOf('typescript') : join(root, 'node_modules/typescript'),
        'bin/tsc',
      )
      return run(process.execPath, [compiler, '-p', `tsconfig.${flags}.json`], { cwd: folder }).then(
        ({ stdout }) => stdout,
        (error: unknown) => (error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error)),
      )
    },
    copyToOutput: path => cp(join(folder, path), join(folder, 'dist', path), { recursive: true }),
    run: async file => (await run(process.execPath, [join('dist', file)], { cwd: folder })).stdout,
    runBundled: async file => {
      const bundle = join(folder, 'bundle.mjs')
      await build({ entryPoints: [join(folder, file)], bundle: true, platform: 'node', format: 'esm', outfile: bundle })
      return (await run(process.execPath, [bundle])).stdout
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
