import type { Endpoint } from '../../spec/language/model/index.js'
import { sectionNote } from './section-note.js'

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
