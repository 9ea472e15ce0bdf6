/** One segment of a path template, as written. */
export type TemplateSegment =
  /** `{id}` */
  | { readonly kind: 'variable'; readonly variable: string }
  | { readonly kind: 'count' }
  | { readonly kind: 'value' }
  | { readonly kind: 'name'; readonly name: string; readonly arguments?: TemplateArguments }

/** What follows a name in parentheses: `({id})`, or `(isbn={isbn},number={number})`, or nothing. */
export type TemplateArguments =
  | { readonly kind: 'single'; readonly variable: string }
  | { readonly kind: 'named'; readonly variables: ReadonlyMap<string, string> }

/** Why a template cannot be read. */
interface TemplateError {
  readonly message: string
}

/** The forms of a segment, for one definition of a word. */
const formsOf = (word: string) => ({
  variable: new RegExp(`^\\{(${word})\\}$`, 'u'),
  name: new RegExp(`^(${word}(?:\\.${word})*)(?:\\((.*)\\))?$`, 'u'),
  argument: new RegExp(`^(${word})=\\{(${word})\\}$`, 'u'),
})

const asciiForms = formsOf('[A-Za-z_][A-Za-z0-9_]*')
let unicodeForms: ReturnType<typeof formsOf> | undefined

/** Classes of Unicode take milliseconds to compile, which a spec in ASCII need not spend. */
function formsFor(text: string): ReturnType<typeof formsOf> {
  if (/^[ -~]*$/.test(text)) return asciiForms
  unicodeForms ??= formsOf('[\\p{L}\\p{Nl}_][\\p{L}\\p{Nl}\\p{Nd}\\p{Mn}\\p{Mc}\\p{Pc}]*')
  return unicodeForms
}

/** Reads `/users/{id}/messages`; the slash in front may be absent. */
export function parseTemplate(template: string): readonly TemplateSegment[] | TemplateError {
  const path = template.startsWith('/') ? template.slice(1) : template
  if (path === '') return { message: 'The path is empty. Begin it with an entity set or a singleton: `/users`.' }
  const segments: TemplateSegment[] = []
  for (const text of path.split('/')) {
    const segment = parseSegment(text)
    if ('message' in segment) return segment
    segments.push(segment)
  }
  return segments
}

function parseSegment(text: string): TemplateSegment | TemplateError {
  if (text === '$count') return { kind: 'count' }
  if (text === '$value') return { kind: 'value' }
  const forms = formsFor(text)
  const variable = forms.variable.exec(text)?.[1]
  if (variable !== undefined) return { kind: 'variable', variable }
  const [, name, between] = forms.name.exec(text) ?? []
  if (name === undefined) {
    const found = text === '' ? 'An empty segment' : `The segment "${text}"`
    return { message: `${found} cannot be read. Write a name, \`{key}\`, \`name({key})\` or \`name(a={a},b={b})\`.` }
  }
  if (between === undefined) return { kind: 'name', name }
  const single = forms.variable.exec(between)?.[1]
  if (single !== undefined) return { kind: 'name', name, arguments: { kind: 'single', variable: single } }
  const variables = new Map<string, string>()
  for (const argument of between.trim() === '' ? [] : between.split(',')) {
    const [, parameter, value] = forms.argument.exec(argument.trim()) ?? []
    if (parameter === undefined || value === undefined) {
      return { message: `"${argument}" cannot be read in the parentheses of "${name}". Write \`name={variable}\`.` }
    }
    if (variables.has(parameter)) return { message: `"${parameter}" is twice in the parentheses of "${name}".` }
    variables.set(parameter, value)
  }
  return { kind: 'name', name, arguments: { kind: 'named', variables } }
}

/**
 * The name of an endpoint in code: the names in its path, joined by dots, and what it does; an operation is what it does.
 *
 * @param template the path, as written
 * @param verb `list`, `get`, …; absent when the path ends in an operation
 * @param renames the names in code of the elements with another name in the path, by this name
 */
export function endpointName(
  template: readonly TemplateSegment[],
  verb: string | undefined,
  renames: ReadonlyMap<string, string> = new Map(),
): string {
  const names = template.flatMap(segment => {
    if (segment.kind === 'value') return ['value']
    if (segment.kind !== 'name') return []
    const name = segment.name.slice(segment.name.lastIndexOf('.') + 1)
    return [renames.get(name) ?? name]
  })
  if (verb === 'delta' && names.at(-1) === 'delta') names.pop()
  if (verb !== undefined) names.push(verb)
  return names.join('.')
}

/** `ByMail`, `ByCallSignAndLand`: the end of the name of an endpoint that finds an item by these properties. */
export function byProperties(names: readonly string[]): string {
  const inCamelCase = names.map(name => name.replace(/(?:^_*|_+)(.)/g, (_, first: string) => first.toUpperCase()))
  return `By${inCamelCase.join('And')}`
}
