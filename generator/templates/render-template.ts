import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Handlebars from 'handlebars'
import { propertyName } from '../names/property-name.js'
import { packageFolder } from '../package-folder.js'
import { docComment } from '../text/doc-comment.js'
import { stringLiteral } from '../text/string-literal.js'

/** A template's name, and the file `templates/<name>.hbs`. */
export type TemplateName =
  | 'types'
  | 'client'
  | 'server'
  | 'service-table'
  | 'handlers'
  | 'handlers-index'
  | 'handlers-context'

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

const compiled = new Map<TemplateName, (view: object) => string>()

/** Fills a template in. The view is plain data with every field that the template reads. */
export function renderTemplate(name: TemplateName, view: object): string {
  const template =
    compiled.get(name) ?? compileTemplate(readFileSync(join(packageFolder('templates'), `${name}.hbs`), 'utf8'))
  compiled.set(name, template)
  return template(view)
}

function compileTemplate(source: string): (view: object) => string {
  const template = Handlebars.compile<object>(source.replaceAll('\r\n', '\n'), {
    noEscape: true,
    strict: true,
    knownHelpersOnly: true,
    knownHelpers: { str: true, prop: true, doc: true },
  })
  return view => template(view, { helpers })
}
