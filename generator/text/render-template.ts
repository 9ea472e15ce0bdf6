import { createRequire } from 'node:module'
import { join } from 'node:path'
import Handlebars from 'handlebars/runtime.js'
import { propertyName } from '../names/identifiers.js'
import { packageFolder } from '../package-folder.js'
import { docComment } from './doc-comment.js'
import { stringLiteral } from './literals.js'

/**
 * The helpers of all templates, and no others: `{{str text}}` is a string literal, `{{prop name}}` a member's name, quoted
 * where it must be, `{{doc paragraphs indentation}}` the lines of a comment, each with its line end.
 */
const helpers = {
  str: (text: string): string => stringLiteral(text),
  prop: (name: string): string => propertyName(name),
  doc: (paragraphs: readonly string[], indentation: number): string =>
    docComment(paragraphs, indentation)
      .map(line => `${' '.repeat(indentation)}${line}\n`)
      .join(''),
}

/** A template's name, and the file `templates/<name>.hbs`. */
export type TemplateName =
  | 'types'
  | 'client'
  | 'literal-formats'
  | 'server'
  | 'service-table'
  | 'handlers'
  | 'handlers-index'
  | 'handlers-context'

const load = createRequire(import.meta.url)
const templates = new Map<TemplateName, (view: object) => string>()
let compiled: object | undefined

/** Fills a template in. The view is plain data with every field that the template reads. */
export function renderTemplate(name: TemplateName, view: object): string {
  const template = templates.get(name) ?? loadTemplate(name)
  templates.set(name, template)
  return template(view)
}

function loadTemplate(name: TemplateName): (view: object) => string {
  compiled ??= objectFrom(load(join(packageFolder('templates'), 'compiled.cjs')))
  const specification = objectFrom(Reflect.get(compiled, name))
  const template = Handlebars.template<object>(specification)
  return view => template(view, { helpers })
}

function objectFrom(value: unknown): object {
  if (typeof value === 'object' && value !== null) return value
  throw new Error('templates/compiled.cjs is damaged; make it anew with npm run build')
}
