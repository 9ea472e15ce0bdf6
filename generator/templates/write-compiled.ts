import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../package-folder.js'
import { compileTemplates } from './compile-templates.js'

/** Compiles the templates of the package into `templates/compiled.cjs`: a step of its build. */
export function writeCompiledTemplates(): void {
  const folder = packageFolder('templates')
  const names = readdirSync(folder)
    .filter(file => file.endsWith('.hbs'))
    .map(file => file.slice(0, -'.hbs'.length))
    .sort()
  const compiled = compileTemplates(names.map(name => [name, readFileSync(join(folder, `${name}.hbs`), 'utf8')]))
  writeFileSync(join(folder, 'compiled.cjs'), compiled)
}
