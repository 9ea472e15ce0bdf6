import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import type { GeneratedFile } from '../../generator/index.js'
import { oneChecker, strictest } from '../../generator/testing/compile-errors.js'
import { root } from '../root.js'

const run = promisify(execFile)
const { resolve } = createRequire(import.meta.url)

/** The folder of a package that this folder's own package.json names. */
function packageOf(name: string): string {
  return dirname(resolve(`${name}/package.json`))
}

/**
 * `usual`: `strict` and nothing else, as in most projects. `migrating`: `usual` without `strictNullChecks`. `oldest`: the
 * strictest flags that the oldest supported compiler knows, with that compiler. `worker`: the types of Cloudflare's workers
 * instead of those of browsers.
 */
export type Flags = 'strictest' | 'usual' | 'migrating' | 'loosest' | 'oldest' | 'worker'

// The compiler's own libraries are not checked: that takes half of its time.
const shared = {
  target: 'es2022',
  lib: ['es2022', 'dom'],
  module: 'nodenext',
  types: [],
  rootDir: '.',
  skipDefaultLibCheck: true,
} as const

const { erasableSyntaxOnly: _, ...knownToAll } = strictest

const configurations: Readonly<Record<Flags, Readonly<Record<string, unknown>>>> = {
  strictest: { ...shared, ...strictest, noEmit: true },
  // Without exactOptionalPropertyTypes, other assignments are valid.
  usual: { ...shared, strict: true, noEmit: true },
  migrating: { ...shared, strict: true, strictNullChecks: false, noEmit: true },
  oldest: { ...shared, ...knownToAll, noEmit: true },
  worker: { ...shared, ...strictest, lib: ['es2022'], types: [packageOf('@cloudflare/workers-types')], noEmit: true },
  loosest: { ...shared, strict: false },
}

type SourceFile = Pick<GeneratedFile, 'path' | 'text'>

async function writeFiles(folder: string, files: readonly SourceFile[]): Promise<void> {
  for (const { path, text } of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

async function installSpecwright(folder: string): Promise<void> {
  await mkdir(join(folder, 'node_modules'))
  await symlink(root, join(folder, 'node_modules', 'specwright'))
}

/** Compiles a folder; returns the output of the compiler, which is empty if there are no errors. */
async function compileFolder(folder: string, flags: Flags): Promise<string> {
  const typescript = flags === 'oldest' ? packageOf('typescript') : join(root, 'node_modules/typescript')
  const compiler = join(typescript, 'bin/tsc')
  const options = flags === 'oldest' ? [] : oneChecker
  const args = [compiler, '-p', `tsconfig.${flags}.json`, ...options]
  return run(process.execPath, args, { cwd: folder, maxBuffer: 1 << 26 }).then(
    ({ stdout }) => stdout,
    (error: unknown) => (error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error)),
  )
}

/** An empty TypeScript project in a folder of its own, without any package. */
export interface EmptyProject {
  /** Compiles everything; returns the output of the compiler, which is empty if there are no errors. */
  compile(flags: Flags): Promise<string>
  /** Copies a folder to the output, which compilers do not do with JavaScript. */
  copyToOutput(folder: string): Promise<void>
  /** Runs a compiled file; returns what it prints. */
  run(file: string): Promise<string>
  /** Bundles and runs a source file; returns what it prints. */
  runBundled(file: string): Promise<string>
  remove(): Promise<void>
}

interface ProjectOptions {
  /** Added to those of each set of flags. */
  readonly compilerOptions?: Readonly<Record<string, unknown>>
  /** Folders that are compiled only if a file imports them. */
  readonly exclude?: readonly string[]
}

export async function emptyProject(
  files: readonly SourceFile[],
  { compilerOptions = {}, exclude = [] }: ProjectOptions = {},
): Promise<EmptyProject> {
  const folder = await mkdtemp(join(tmpdir(), 'specwright-vendored-'))
  await writeFiles(folder, [
    ...files,
    { path: 'package.json', text: '{ "type": "module" }' },
    ...Object.entries(configurations).map(([name, flags]) => ({
      path: `tsconfig.${name}.json`,
      text: JSON.stringify({
        compilerOptions: { ...flags, ...(name === 'loosest' ? { outDir: 'dist' } : {}), ...compilerOptions },
        include: ['**/*'],
        exclude: ['dist', ...exclude],
      }),
    })),
  ])
  return {
    compile: flags => compileFolder(folder, flags),
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

/** A project among others that are compiled together, which takes much less time than to compile each. */
interface GroupedProject {
  readonly name: string
  readonly files: readonly SourceFile[]
  readonly flags: readonly Flags[]
  /** Whether Specwright is installed in it; no other project sees its packages. */
  readonly withPackage: boolean
}

export interface ProjectGroup {
  /** The output of the compiler about a project, which is empty if there are no errors. */
  compile(name: string, flags: Flags): Promise<string>
  /** Runs a file of a project that `compile` has compiled under the loosest flags; returns what it prints. */
  run(name: string, file: string): Promise<string>
  remove(): Promise<void>
}

/** Projects in folders of their own, without any package but Specwright where they say so. */
export async function projectGroup(projects: readonly GroupedProject[]): Promise<ProjectGroup> {
  const folder = await mkdtemp(join(tmpdir(), 'specwright-vendored-'))
  await writeFiles(folder, [
    { path: 'package.json', text: '{ "type": "module" }' },
    ...Object.entries(configurations).map(([name, compilerOptions]) => ({
      path: `tsconfig.${name}.json`,
      text: JSON.stringify({
        compilerOptions,
        include: projects.flatMap(project =>
          project.flags.some(flags => flags === name) ? [`${project.name}/**/*`] : [],
        ),
      }),
    })),
  ])
  for (const { name, files, withPackage } of projects) {
    await writeFiles(join(folder, name), files)
    if (withPackage) await installSpecwright(join(folder, name))
  }
  const outputs = new Map<Flags, Promise<string>>()
  return {
    compile: async (name, flags) => {
      const output = outputs.get(flags) ?? compileFolder(folder, flags)
      outputs.set(flags, output)
      // An error begins at the margin; further lines about it are indented.
      const errors = (await output).split(/^(?=\S)/m)
      const others = projects.filter(project => project.name !== name)
      return errors.filter(error => !others.some(other => error.startsWith(`${other.name}/`))).join('')
    },
    run: async (name, file) => (await run(process.execPath, [join(folder, name, file)])).stdout,
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
