import type { Clause, QueryCapabilities, Service } from '../../spec/language/model/index.js'
import { collections } from './collections.js'
import { type Finding, findings } from './finding.js'
import type { InterfaceSection } from './interface-section.js'

/** 4.2, "Rules": each is quoted whole by a clause, and the capabilities say what it says. */
export function walkRules(section: InterfaceSection, service: Service): readonly Finding[] {
  return section.rules.flatMap((rule, index) => {
    const number = index + 1
    const clause = service.clauses.find(({ quote }) => quote === rule)
    const row = `${section.number} rule ${number}`
    if (!clause) return findings(row, ['no clause'])
    return findings(row, [
      ...(clause.ref === row ? [] : ['the clause refers elsewhere']),
      ...(holds[number]?.(service, clause) ?? ['nothing walks this rule']),
    ])
  })
}

const holds: Readonly<Record<number, (service: Service, clause: Clause) => readonly string[]>> = {
  1: service =>
    collections(service).flatMap(({ endpoint, query }) =>
      ['filter.contains', 'search', 'filter.any'].flatMap(construct =>
        demandsHeader(query, construct) ? [] : [`${endpoint.name} does not demand the header for ${construct}`],
      ),
    ),
  2: (_, clause) => (clause.open ? [] : ['nothing is open']),
  3: service => supportedEverywhere(service, 'select', query => query.select),
  4: service => supportedEverywhere(service, 'skip', query => query.skip),
  5: service => [
    ...supportedEverywhere(service, 'top', query => query.top.support),
    ...supportedEverywhere(service, 'orderby', query => query.orderby.support),
  ],
}

function demandsHeader(query: QueryCapabilities, construct: string): boolean {
  return query.requires.some(
    ({ when, header, otherwise, open }) =>
      when.some(all => all.length === 1 && all[0] === construct) &&
      header.name === 'ConsistencyLevel' &&
      header.value === 'eventual' &&
      /advanced query capabilities are not available/i.test(otherwise.message) &&
      open === undefined,
  )
}

function supportedEverywhere(
  service: Service,
  option: string,
  support: (query: QueryCapabilities) => string,
): readonly string[] {
  return collections(service).flatMap(({ endpoint, query }) =>
    support(query) === 'none' ? [`${endpoint.name} does not support ${option}`] : [],
  )
}
