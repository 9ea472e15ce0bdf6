import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Handlebars from 'handlebars'
import { packageFolder } from '../../spec/language/index.js'
import { compileOptions } from './render-template.js'

/** Compiles the templates of generated code into `dist/templates.cjs`: a build step. */
export function writeCompiledTemplates(): void {
  mkdirSync(packageFolder('dist'), { recursive: true })
  writeFileSync(join(packageFolder('dist'), 'templates.cjs'), compiledTemplates())
}

/**
 * A CommonJS module that exports each template by its name, as a function for the runtime of Handlebars. With it, a run of
 * the generator need not load the compiler of Handlebars.
 */
export function compiledTemplates(): string {
  const folder = packageFolder('templates')
  const names = ['', 'partials/']
    .flatMap(within => readdirSync(join(folder, within)).map(file => within + file))
    .filter(file => file.endsWith('.hbs'))
    .map(file => file.slice(0, -'.hbs'.length))
    .sort()
  const members = names.map(name => {
    const source = readFileSync(join(folder, `${name}.hbs`), 'utf8').replaceAll('\r\n', '\n')
    return `  '${name}': ${withoutLocations(String(Handlebars.precompile(source, compileOptions)))},\n`
  })
  return `module.exports = {\n${members.join('')}}\n`
}

/** Helpers get the place of their call, which ours do not use: a sixth of the text. The places of values stay, for errors. */
function withoutLocations(compiled: string): string {
  const place = '\\{"line":\\d+,"column":\\d+\\}'
  return compiled.replaceAll(new RegExp(`,\\s*"loc":\\{"start":${place},"end":${place}\\}`, 'g'), '')
}
