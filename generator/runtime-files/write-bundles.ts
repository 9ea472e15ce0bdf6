import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../package-folder.js'
import { bundleRuntime } from './bundle-runtime.js'

/** Writes the files of which a vendored runtime consists: a step of the package's build. */
export function writeBundles(): void {
  const source = packageFolder('runtime')
  const target = packageFolder('dist/vendored')
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  const read = (module: string): string => readFileSync(join(source, module.replace(/\.js$/, '.ts')), 'utf8')
  for (const [room, text] of bundleRuntime(module => read(module).replaceAll('\r\n', '\n'))) {
    writeFileSync(join(target, `${room}.ts`), text)
  }
}
