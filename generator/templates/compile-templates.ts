import Handlebars from 'handlebars'
import { templateOptions } from './template-options.js'

/** A template's name, and its text as Handlebars. */
export type TemplateSource = readonly [name: string, text: string]

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
