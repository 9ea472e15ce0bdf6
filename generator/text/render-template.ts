import { createRequire } from 'node:module'
import { join } from 'node:path'
import type Compiler from 'handlebars'
import Handlebars from 'handlebars/runtime.js'
import { type Diagnostic, packageFolder, suggest } from '../../spec/language/index.js'
import { docComment } from './doc-comment.js'
import { dataLiteral, literalUnion, propertyName, stringLiteral } from './literals.js'
import { wrapLines } from './wrap-lines.js'

/** A template of a whole file, `templates/<name>.hbs`. */
type TemplateName =
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

/** A template that replaces the built-in one of the same name. */
export interface TemplateText {
  /** `client`, `partials/query-type`: as the files in `templates/` are called, without `.hbs`. */
  readonly name: string
  /** Its file, in diagnostics. */
  readonly path: string
  readonly text: string
}

type Render = (view: object, options: object) => string

/** Does not escape for HTML. A field that a view lacks is an error, not an empty text. */
export const compileOptions = {
  noEscape: true,
  strict: true,
  knownHelpersOnly: true,
  knownHelpers: { str: true, prop: true, doc: true, data: true, is: true, union: true, runtime: true, module: true },
} as const

/** All templates, ready to render. */
export interface Templates {
  readonly whole: ReadonlyMap<string, Render>
  /** By the name that `{{> name}}` uses. */
  readonly partials: object
  /** Where each replaced template is; empty for the built-in ones. */
  readonly paths: ReadonlyMap<string, string>
}

let builtIn: Templates | undefined

/** The templates that the build has compiled, so that no run needs the compiler of Handlebars. */
function builtInTemplates(): Templates {
  builtIn ??= templatesOf(compiledTemplates(), new Map())
  return builtIn
}

function compiledTemplates(): ReadonlyMap<string, Render> {
  const compiled: unknown = createRequire(import.meta.url)(join(packageFolder('dist'), 'templates.cjs'))
  return new Map(
    Object.entries(objectFrom(compiled)).map(([name, specification]) => [
      name,
      Handlebars.template<object>(objectFrom(specification)),
    ]),
  )
}

function objectFrom(value: unknown): object {
  if (typeof value === 'object' && value !== null) return value
  throw new Error('dist/templates.cjs is damaged: run npm run build')
}

function templatesOf(whole: ReadonlyMap<string, Render>, paths: ReadonlyMap<string, string>): Templates {
  const partials = [...whole].flatMap(([name, render]) =>
    name.startsWith('partials/') ? [[name.slice('partials/'.length), render] as const] : [],
  )
  return { whole, partials: Object.fromEntries(partials), paths }
}

/**
 * The built-in templates, some of them replaced.
 *
 * @returns diagnostics instead, for unknown names and for texts that Handlebars cannot compile
 */
export async function replaceTemplates(
  texts: readonly TemplateText[],
): Promise<Templates | { readonly diagnostics: readonly Diagnostic[] }> {
  // A run without templates of its own does not load the compiler.
  const { default: compiler } = await import('handlebars')
  const { whole } = builtInTemplates()
  const replaced = new Map(whole)
  const diagnostics: Diagnostic[] = []
  const paths = new Map<string, string>()
  for (const { name, path, text } of texts) {
    paths.set(name, path)
    if (!whole.has(name)) {
      const near = suggest(name, whole.keys())
      const message = `No template is called "${name}".${near === undefined ? ` The names are ${[...whole.keys()].join(', ')}.` : ''}`
      const diagnostic = templateDiagnostic('template/unknown', message, path)
      diagnostics.push(near === undefined ? diagnostic : { ...diagnostic, suggestion: near })
      continue
    }
    const compiled = compileTemplate(compiler, text.replaceAll('\r\n', '\n'), path)
    if (typeof compiled === 'function') replaced.set(name, compiled)
    else diagnostics.push(compiled)
  }
  if (diagnostics.length > 0) return { diagnostics }
  return templatesOf(new Map([...replaced].map(([name, render]) => [name, namingFailures(name, render)])), paths)
}

function compileTemplate(compiler: typeof Compiler, text: string, path: string): Render | Diagnostic {
  try {
    // The compiler itself is lazy, and would report errors only when the template is rendered.
    compiler.precompile(text, compileOptions)
    return compiler.compile<object>(text, compileOptions)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const { message, line, column } = handlebarsFailure(error)
    return templateDiagnostic('template/syntax', `The template cannot be compiled. ${message}`, path, line, column)
  }
}

/** What Handlebars says, in one line, and where. */
function handlebarsFailure(error: Error): {
  readonly message: string
  readonly line: number
  readonly column: number
} {
  const [head = '', ...rest] = error.message.split('\n')
  const parse = /^(?:Parse|Lexical) error on line (\d+)/.exec(head)
  if (parse !== null) return { message: `${rest.at(-1) ?? head}.`, line: Number(parse[1]), column: 1 }
  const place = / - (\d+):(\d+)$/.exec(error.message)
  const message = `${error.message.replace(/ - \d+:\d+$/, '').replace(/\.$/, '')}.`
  // Handlebars counts columns from 0.
  return { message, line: Number(place?.[1] ?? 1), column: Number(place?.[2] ?? 0) + 1 }
}

function templateDiagnostic(code: string, message: string, path: string, line = 1, column = 1): Diagnostic {
  const location = { line, column, offset: 0, length: 0 }
  return { severity: 'error', code, message, path, location, related: [] }
}

/** A template failed while it was rendered. Names are those of the template and of those that include it, innermost first. */
class TemplateFailure extends Error {
  override readonly name = 'TemplateFailure'
  readonly names: string[] = []
}

const namingFailures =
  (name: string, render: Render): Render =>
  (view, options) => {
    try {
      return render(view, options)
    } catch (error) {
      const failure = error instanceof TemplateFailure ? error : new TemplateFailure('', { cause: error })
      failure.names.push(name)
      throw failure
    }
  }

/** The diagnostic for an error of a replaced template. Undefined for any other error. */
export function renderDiagnostic(error: unknown, { paths }: Templates): Diagnostic | undefined {
  if (!(error instanceof TemplateFailure) || !(error.cause instanceof Error)) return undefined
  const { message, line, column } = handlebarsFailure(error.cause)
  const [innermost = ''] = error.names
  const own = error.names.find(name => paths.has(name)) ?? innermost
  const path = paths.get(own)
  if (path === undefined) return undefined
  const code = 'template/render'
  if (own === innermost) {
    return templateDiagnostic(code, `The template cannot be rendered. ${message}`, path, line, column)
  }
  const where = `in the built-in template ${innermost}, line ${line}`
  return templateDiagnostic(code, `The template cannot be rendered: ${where}. ${message}`, path)
}
