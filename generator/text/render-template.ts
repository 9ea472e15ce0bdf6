import { createRequire } from 'node:module'
import { join } from 'node:path'
import Handlebars from 'handlebars/runtime.js'
import { packageFolder } from '../package-folder.js'
import { docComment } from './doc-comment.js'
import { dataLiteral, literalUnion, propertyName, stringLiteral } from './literals.js'
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
}

/**
 * Renders a file.
 *
 * @param view plain data with every field that the template reads; a missing one is an error
 */
export function renderTemplate(name: TemplateName, view: object, file: TemplateFile = noImports): string {
  loaded ??= loadTemplates()
  const { templates, partials } = loaded
  const template = templates.get(name)
  if (template === undefined) throw new Error(`templates/${name}.hbs is missing: run npm run build`)
  const text = template(view, { partials, helpers: { ...helpers, ...fileHelpers(file) } })
  // An indented partial indents its empty lines, too.
  return wrapLines(text.replace(/^ +$/gm, ''))
}

const noImports: TemplateFile = { header: '', runtime: name => name, imports: () => [] }

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

type Render = (view: object, options: object) => string

let loaded: { readonly templates: ReadonlyMap<string, Render>; readonly partials: object } | undefined

/** Loads the templates that the build has compiled, so that no run needs the compiler of Handlebars. */
function loadTemplates(): { readonly templates: ReadonlyMap<string, Render>; readonly partials: object } {
  const compiled: unknown = createRequire(import.meta.url)(join(packageFolder('dist'), 'templates.cjs'))
  const templates = new Map<string, Render>()
  for (const [name, specification] of Object.entries(objectFrom(compiled))) {
    templates.set(name, Handlebars.template<object>(objectFrom(specification)))
  }
  const isPartial = (name: string): boolean => name.startsWith('partials/')
  return {
    templates,
    partials: Object.fromEntries(
      [...templates].flatMap(([name, render]) => (isPartial(name) ? [[name.slice('partials/'.length), render]] : [])),
    ),
  }
}

function objectFrom(value: unknown): object {
  if (typeof value === 'object' && value !== null) return value
  throw new Error('dist/templates.cjs is damaged: run npm run build')
}
