import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { runtimeParts } from '../dist/generator/vendor/runtime-files.js'

const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')

/**
 * Makes JavaScript and declarations of the files of a vendored runtime, beside them.
 *
 * @param {string} folder where they are
 * @throws when the compiler finds something wrong
 */
export function compileBundles(folder) {
  const options = [
    ...['--ignoreConfig', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--declaration'],
    ...['--target', 'es2022', '--module', 'nodenext', '--lib', 'es2022,dom', '--types', ''],
  ]
  execFileSync(process.execPath, [compiler, ...options, ...runtimeParts.map(part => join(folder, `${part}.ts`))], {
    stdio: 'inherit',
  })
}
