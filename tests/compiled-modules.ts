import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Plugin } from 'vitest/config'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const sourceFolders = ['bin', 'conformance', 'generator', 'reference', 'runtime', 'spec', 'sql']
/** Below `build/`, where modules find the root of the package as those of the compiler do. Runs at the same time share nothing. */
const output = join(root, 'build', 'tested', String(process.pid))

/** The TypeScript modules of the package, relative to its root: no tests, and nothing that only tests use. */
const modules = new Set(
  sourceFolders.flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map(path => join(folder, path))
      .filter(path => /(?<!\.test|\.test-d|\.d)\.ts$/.test(path) && !path.split(sep).includes('testing')),
  ),
)

/** Matches the files that Node.js loads itself, for the option `server.deps.external` of Vitest. */
export const compiledFiles = new RegExp(`^${output.replace(/[^\w/]/g, '\\$&')}/`)

const mocking = new Map<string, boolean>()

function mocksModules(path: string): boolean {
  const known =
    mocking.get(path) ?? (path.endsWith('.test.ts') && /\bvi\.(?:doM|m)ock\(/.test(readFileSync(path, 'utf8')))
  mocking.set(path, known)
  return known
}

/**
 * Compiles the modules of the package once, and lets Node.js load them. Otherwise Vitest transforms each of them, and each
 * worker evaluates the result. In watch mode Vitest must know the modules to run the tests of a changed one again, so there they
 * are not compiled. Vitest cannot mock what Node.js loads, so a test that mocks modules gets their source, and that of what they import.
 */
export function compiledModules(): Plugin {
  let isCompiled = false
  return {
    name: 'compiled-modules',
    enforce: 'pre',
    configureVitest: async ({ vitest }) => {
      if (vitest.config.watch) return
      process.on('exit', () => rmSync(output, { recursive: true, force: true }))
      await build({
        entryPoints: [...modules],
        absWorkingDir: root,
        outbase: root,
        outdir: output,
        format: 'esm',
        platform: 'node',
        target: 'node20.19',
        logLevel: 'warning',
      })
      isCompiled = true
    },
    resolveId: (source, importer) => {
      if (!isCompiled || importer === undefined || !/^\.{1,2}\/.*\.js$/.test(source)) return null
      if (modules.has(relative(root, importer)) || mocksModules(importer)) return null
      const path = relative(root, resolve(dirname(importer), source))
      return modules.has(path.replace(/js$/, 'ts')) ? { id: join(output, path), external: true } : null
    },
  }
}
