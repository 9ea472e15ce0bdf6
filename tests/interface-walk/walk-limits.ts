import type { Service } from '../../spec/language/model/index.js'
import { collections } from './collections.js'
import { type Finding, findings } from './finding.js'
import type { InterfaceSection } from './interface-section.js'
import { quoted } from './quoted.js'

const isLimited: Readonly<Record<string, (service: Service) => boolean>> = {
  '$top maximum': service =>
    collections(service).every(({ query }) => query.top.max !== undefined && query.top.above === 'open') &&
    collections(service).some(({ query }) => query.top.max === 999) &&
    service.open.some(({ name }) => name === 'topAboveMaximum'),
  '$expand depth': service =>
    service.limits.expandDepth !== undefined && service.open.some(({ name }) => name === 'expandDepth'),
}

/** 8: each limit has a value of ours, a choice for others, and a clause. */
export function walkLimits(section: InterfaceSection, service: Service): readonly Finding[] {
  return section.rows.flatMap(([limit = '', value = '']) =>
    findings(`${section.number} ${limit}`, {
      'no such limit': !(Object.hasOwn(isLimited, limit) && isLimited[limit]?.(service)),
      'no clause': !quoted(service, section.number, value),
    }),
  )
}
