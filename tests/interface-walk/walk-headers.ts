import type { Service } from '../../spec/language/model/index.js'
import { type Finding, findings } from './finding.js'
import type { InterfaceSection } from './interface-section.js'
import { quoted } from './quoted.js'

const isUsed: Readonly<Record<string, (service: Service) => boolean>> = {
  ConsistencyLevel: service =>
    service.queryCapabilities.some(({ requires }) =>
      requires.some(({ header }) => header.name === 'ConsistencyLevel' && header.value === 'eventual'),
    ),
  Prefer: service =>
    service.endpoints.some(
      endpoint =>
        (endpoint.kind === 'collection' || endpoint.kind === 'item') &&
        endpoint.type.name === 'message' &&
        endpoint.preferences.some(({ name, values }) => name === 'body-content-type' && values.includes('text')),
    ),
  'If-Match': service =>
    service.endpoints.some(endpoint => endpoint.kind === 'update' && endpoint.ifMatch !== 'none') &&
    service.endpoints.some(endpoint => endpoint.kind === 'delete' && endpoint.ifMatch !== 'none'),
  'If-None-Match': service =>
    service.endpoints.some(endpoint => endpoint.kind === 'item' && endpoint.ifNoneMatch !== 'none'),
}

/** 4.3: each header is used by an endpoint, and its row quoted by a clause. */
export function walkHeaders(section: InterfaceSection, service: Service): readonly Finding[] {
  return section.rows.flatMap(([name = '', use = '']) =>
    findings(`${section.number} ${name}`, {
      'no endpoint uses it': !(Object.hasOwn(isUsed, name) && isUsed[name]?.(service)),
      'no clause': !quoted(service, section.number, use),
    }),
  )
}
