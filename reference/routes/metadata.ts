import { type ExtraRoute, RequestFault, type ServiceTable } from '../../runtime/server/index.js'
import { chooseFormat } from './choose-format.js'
import { dollarPaths } from './dollar-paths.js'

/** The model as CSDL, made when it is first asked for. */
export interface MetadataText {
  readonly xml: () => string | Promise<string>
  readonly json: () => string | Promise<string>
}

const contentTypes = { xml: 'application/xml;charset=utf-8', json: 'application/json;charset=utf-8' } as const

/**
 * The metadata document: CSDL in XML, or in JSON for whoever asks for it by `$format` or `Accept`.
 *
 * @see OData Protocol 4.01, 11.1.2 (metadata document request)
 */
export function metadataRoute(table: ServiceTable, metadata: MetadataText): readonly ExtraRoute[] {
  const made = new Map<keyof MetadataText, Promise<string>>()
  const textOf = (format: keyof MetadataText): Promise<string> => {
    const text = made.get(format) ?? Promise.resolve(metadata[format]())
    made.set(format, text)
    return text
  }
  const answer: ExtraRoute['answer'] = async ({ incoming, headers }) => {
    const format = chooseFormat(incoming)
    if (format === undefined) {
      const reason = 'The metadata document is application/xml or application/json.'
      throw new RequestFault('notAcceptable', { values: { reason } })
    }
    return {
      status: 200,
      headers: { ...headers, 'content-type': contentTypes[format], vary: 'Accept' },
      body: await textOf(format),
    }
  }
  return dollarPaths(table, 'metadata').map(path => ({ method: 'GET', path, answer }))
}
