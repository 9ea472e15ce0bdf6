import type { Annotations, Endpoint } from '../../spec/language/index.js'

/** The comment on an endpoint: its request, and what it does. */
export function endpointDocs(endpoint: Endpoint): readonly string[] {
  const operation = endpoint.kind === 'call' ? endpoint.operation : undefined
  const description = endpoint.description ?? endpoint.path.description ?? operation?.description
  const request = `${endpoint.method} ${endpoint.path.template}`
  return [description === undefined ? request : `${request}: ${description}`]
}

/** The comment on a declaration: its description, the notes, and its section of the interface; empty without any. */
export function annotatedDocs(element: Annotations, notes: readonly string[] = []): readonly string[] {
  return memberDocs(element, element.ref === undefined ? notes : [...notes, `(interface, section ${element.ref})`])
}

/** The comment on a member. Its section is nearly always that of the declaration around it, so it is left out. */
export function memberDocs({ description }: Annotations, notes: readonly string[] = []): readonly string[] {
  const text = [...(description === undefined ? [] : [description]), ...notes].join(' ')
  return text === '' ? [] : [text]
}

/** A type's name as prose, with its article: `driveItem` becomes `a drive item`. */
export function withArticle(name: string): string {
  const plain = name.replace(/(\p{Ll}|\d)(?=\p{Lu})/gu, '$1 ').toLowerCase()
  return `${/^(?:[aeio]|u(?!ni|s|t))/.test(plain) ? 'an' : 'a'} ${plain}`
}

/** The description of a declaration in a schema or an OpenAPI document. */
export const description = (element: Annotations, notes: readonly string[] = []): string | undefined =>
  annotatedDocs(element, notes)[0]

/** The description of a member, such as a property or a parameter. */
export const memberDescription = (element: Annotations, notes: readonly string[] = []): string | undefined =>
  memberDocs(element, notes)[0]
