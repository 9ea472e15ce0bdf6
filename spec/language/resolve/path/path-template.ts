/** One segment of a path template, as written. */
export type TemplateSegment =
  /** `{id}` */
  | { readonly kind: 'variable'; readonly variable: string }
  | { readonly kind: 'count' }
  | { readonly kind: 'name'; readonly name: string; readonly arguments?: TemplateArguments }

/** What stands in parentheses behind a name: `({id})`, or `(isbn={isbn},number={number})`, or nothing. */
export type TemplateArguments =
  | { readonly kind: 'single'; readonly variable: string }
  | { readonly kind: 'named'; readonly variables: ReadonlyMap<string, string> }

/** Why a template cannot be read. */
export interface TemplateFault {
  readonly message: string
}

const word = '[\\p{L}\\p{Nl}_][\\p{L}\\p{Nl}\\p{Nd}\\p{Mn}\\p{Mc}\\p{Pc}]*'
const variableForm = new RegExp(`^\\{(${word})\\}$`, 'u')
const nameForm = new RegExp(`^(${word}(?:\\.${word})*)(?:\\((.*)\\))?$`, 'u')
const argumentForm = new RegExp(`^(${word})=\\{(${word})\\}$`, 'u')

/** Reads `/users/{id}/messages`; the slash in front may be absent. */
export function parseTemplate(template: string): readonly TemplateSegment[] | TemplateFault {
  const path = template.startsWith('/') ? template.slice(1) : template
  if (path === '') return { message: 'The path is empty; it begins with an entity set or a singleton: `/users`.' }
  const segments: TemplateSegment[] = []
  for (const text of path.split('/')) {
    const segment = parseSegment(text)
    if ('message' in segment) return segment
    segments.push(segment)
  }
  return segments
}

function parseSegment(text: string): TemplateSegment | TemplateFault {
  if (text === '$count') return { kind: 'count' }
  const variable = variableForm.exec(text)?.[1]
  if (variable !== undefined) return { kind: 'variable', variable }
  const [, name, between] = nameForm.exec(text) ?? []
  if (name === undefined) {
    const found = text === '' ? 'An empty segment' : `The segment "${text}"`
    return { message: `${found} cannot be read. Write a name, \`{key}\`, \`name({key})\` or \`name(a={a},b={b})\`.` }
  }
  if (between === undefined) return { kind: 'name', name }
  const single = variableForm.exec(between)?.[1]
  if (single !== undefined) return { kind: 'name', name, arguments: { kind: 'single', variable: single } }
  const variables = new Map<string, string>()
  for (const argument of between.trim() === '' ? [] : between.split(',')) {
    const [, parameter, value] = argumentForm.exec(argument.trim()) ?? []
    if (parameter === undefined || value === undefined) {
      return { message: `"${argument}" cannot be read in the parentheses of "${name}". Write \`name={variable}\`.` }
    }
    if (variables.has(parameter)) return { message: `"${parameter}" stands twice in the parentheses of "${name}".` }
    variables.set(parameter, value)
  }
  return { kind: 'name', name, arguments: { kind: 'named', variables } }
}
