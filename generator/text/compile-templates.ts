import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Handlebars from 'handlebars'
import { packageFolder } from '../package-folder.js'

/** A template's name, and its text as Handlebars. */
type TemplateSource = readonly [name: string, text: string]

/**
 * All templates as one CommonJS module of functions for the runtime of Handlebars, so that a run of the generator need
 * not load and run its compiler. It stands beside them as `templates/compiled.cjs`.
 */
export function compileTemplates(sources: readonly TemplateSource[]): string {
  const members = sources.map(
    ([name, text]) => `  '${name}': ${Handlebars.precompile(text.replaceAll('\r\n', '\n'), templateOptions)},\n`,
  )
  return `// Made of the templates beside it; a test holds it to them.\nmodule.exports = {\n${members.join('')}}\n`
}

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

/** How templates are compiled: nothing is escaped for HTML, and what a view lacks is an error instead of empty text. */
const templateOptions = {
  noEscape: true,
  strict: true,
  knownHelpersOnly: true,
  knownHelpers: { str: true, prop: true, doc: true },
} as const
