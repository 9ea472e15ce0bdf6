import { propertyName } from '../names/property-name.js'
import { docComment } from '../text/doc-comment.js'
import { stringLiteral } from '../text/string-literal.js'

/**
 * The helpers of all templates, and no others: `{{str text}}` is a string literal, `{{prop name}}` a member's name, quoted
 * where it must be, `{{doc paragraphs indentation}}` the lines of a comment, each with its line end.
 */
export const helpers = {
  str: (text: string): string => stringLiteral(text),
  prop: (name: string): string => propertyName(name),
  doc: (paragraphs: readonly string[], indentation: number): string =>
    docComment(paragraphs, indentation)
      .map(line => `${' '.repeat(indentation)}${line}\n`)
      .join(''),
}
