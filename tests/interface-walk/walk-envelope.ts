import type { Service } from '../../spec/language/model/index.js'
import { collections } from './collections.js'
import { type Finding, findings } from './finding.js'
import type { InterfaceSection } from './interface-section.js'
import { quoted } from './quoted.js'

/** 2.4: each member of the envelope is told by a clause, and the collections have what fills it. */
export function walkEnvelope(section: InterfaceSection, service: Service): readonly Finding[] {
  const pages = collections(service)
  const filled: Readonly<Record<string, boolean>> = {
    value: pages.length > 0,
    '@odata.count': pages.some(({ query }) => query.count !== 'none'),
    '@odata.nextLink': pages.every(({ query }) => query.top.default !== undefined),
  }
  return section.rows.flatMap(([member = '', notes = '']) =>
    findings(`${section.number} ${member}`, {
      'nothing fills it': filled[member] !== true,
      'no clause': !quoted(service, section.number, notes),
    }),
  )
}
