import { docComment } from './doc-comment.js'
import { dataLiteral, literalUnion, propertyName, stringLiteral } from './literals.js'
import { builtInTemplates, type Templates } from './templates.js'
import { wrapLines } from './wrap-lines.js'

/** A template of a whole file, `templates/<name>.hbs`. */
export type TemplateName =
  | 'types'
  | 'client'
  | 'literal-formats'
  | 'server'
  | 'service-table'
  | 'handlers'
  | 'handlers-index'
  | 'handlers-context'
  | 'partials/handler-stubs'

/** What the template of a TypeScript file needs besides its view. */
export interface TemplateFile {
  /** The first line; empty for a file that belongs to the user. */
  readonly header: string
  /**
   * Imports a name of the runtime: a type when it starts with a capital letter, else a value. Returns its name in this file.
   *
   * @param entrance where the name comes from, if that is not the part of the runtime that the file is for
   */
  readonly runtime: (name: string, entrance?: string) => string
  /** The import statements. */
  readonly imports: () => readonly string[]
  /** Default: the built-in ones. */
  readonly templates?: Templates | undefined
}

/**
 * Renders a file.
 *
 * @param view plain data with every field that the template reads; a missing one is an error
 */
export function renderTemplate(name: TemplateName, view: object, file: TemplateFile = noImports): string {
  const { whole, partials } = file.templates ?? builtInTemplates()
  const template = whole.get(name)
  if (template === undefined) throw new Error(`templates/${name}.hbs is missing: run npm run build`)
  const text = template(view, { partials, helpers: { ...helpers, ...fileHelpers(file) } })
  // An indented partial indents its empty lines, too.
  return wrapLines(text.replace(/^ +$/gm, ''))
}

/** A file without header and imports. */
export const noImports: TemplateFile = { header: '', runtime: name => name, imports: () => [] }

/** The helpers of all templates. */
const helpers = {
  /** `{{str text}}`: a string literal. */
  str: (text: string): string => stringLiteral(text),
  /** `{{prop name}}`: the name of a member, in quotes if necessary. */
  prop: (name: string): string => propertyName(name),
  /** `{{doc paragraphs indentation}}`: a documentation comment with its line end; nothing without paragraphs. */
  doc: (paragraphs: readonly string[], indentation: number): string =>
    docComment(paragraphs, indentation)
      .map(line => `${' '.repeat(indentation)}${line}\n`)
      .join(''),
  /** `{{data value}}`: plain data as a literal. */
  data: (value: unknown): string => dataLiteral(value),
  /** `(is a b)`: whether two values are the same. */
  is: (a: unknown, b: unknown): boolean => a === b,
  /** `{{union texts}}`: a union of string literals. */
  union: (texts: readonly string[]): string => literalUnion(texts),
}

function fileHelpers({ header, runtime, imports }: TemplateFile) {
  return {
    /** `{{runtime "ListOperation"}}` imports a name of the runtime; `from="query"` selects the entry point. */
    runtime: (name: string, { hash }: HelperOptions): string =>
      typeof hash['from'] === 'string' ? runtime(name, hash['from']) : runtime(name),
    /** `{{#module}}`: a module; its header and imports come first, although the body determines the imports. */
    module(this: unknown, { fn }: HelperOptions): string {
      const body = fn(this)
      const lines = imports()
      const head = header === '' ? lines : lines.length === 0 ? [header] : [header, '', ...lines]
      return head.map(line => `${line}\n`).join('') + body
    },
  }
}

interface HelperOptions {
  readonly hash: Readonly<Record<string, unknown>>
  /** Renders the block. */
  readonly fn: (context: unknown) => string
}
