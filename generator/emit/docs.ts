import type { Annotations, Endpoint } from '../../spec/language/index.js'

/** What a comment says of an endpoint: its request, what it does, and its section of the interface. */
export function endpointDocs(endpoint: Endpoint): readonly string[] {
  const operation = endpoint.kind === 'call' ? endpoint.operation : undefined
  const description = endpoint.description ?? endpoint.path.description ?? operation?.description
  const ref = endpoint.ref ?? endpoint.path.ref ?? operation?.ref
  const request = `${endpoint.method} ${endpoint.path.template}`
  return [
    request + (description === undefined ? '' : `: ${description}`) + (ref === undefined ? '' : ` ${sectionNote(ref)}`),
  ]
}

/**
 * What a comment says of an element: what its description and the notes say, and its section of the interface. None when
 * there is nothing to say.
 */
export function annotatedDocs({ description, ref }: Annotations, notes: readonly string[] = []): readonly string[] {
  const sentences = [description, ...notes, ref === undefined ? undefined : sectionNote(ref)]
  const text = sentences.filter(sentence => sentence !== undefined).join(' ')
  return text === '' ? [] : [text]
}

/** Where the interface says it, as the end of a comment: `(interface, section 4.1)`. */
const sectionNote = (ref: string): string => `(interface, section ${ref})`

/** A type's name as prose, with its article: `driveItem` becomes `a drive item`. */
export function withArticle(name: string): string {
  const plain = name.replace(/(\p{Ll}|\d)(?=\p{Lu})/gu, '$1 ').toLowerCase()
  return `${/^(?:[aeio]|u(?!ni|s|t))/.test(plain) ? 'an' : 'a'} ${plain}`
}

/** What a schema, parameter or operation says of itself: description, notes, section of the interface. */
export function description(annotations: Annotations, notes: readonly string[] = []): string | undefined {
  return annotatedDocs(annotations, notes)[0]
}
