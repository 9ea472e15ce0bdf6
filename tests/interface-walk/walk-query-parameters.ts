import type { QueryCapabilities, Service } from '../../spec/language/model/index.js'
import { collections } from './collections.js'
import { type Finding, findings } from './finding.js'
import type { InterfaceSection } from './interface-section.js'
import { quoted } from './quoted.js'

const supports: Readonly<Record<string, (query: QueryCapabilities) => boolean>> = {
  $select: query => query.select !== 'none',
  $filter: query => query.filter.support !== 'none',
  $orderby: query => query.orderby.support !== 'none',
  $expand: query => query.expand.support !== 'none' && query.expand.nested.includes('select'),
  $top: query => query.top.support !== 'none',
  $skip: query => query.skip !== 'none',
  $count: query => query.count !== 'none',
  $search: ({ search }) =>
    search.support !== 'none' &&
    search.syntax === 'propertyTerms' &&
    search.join.join() === 'OR' &&
    search.properties.length > 0,
}

/** What a row of the table says of a parameter, where no clause could quote it: an OData expression is what 4.2 goes on to tell. */
const toldBelow: ReadonlySet<string> = new Set(['OData filter expression'])

/** 4.2, the table: our service supports each parameter on each collection. */
export function walkQueryParameters(section: InterfaceSection, service: Service): readonly Finding[] {
  return section.rows.flatMap(([name = '', , meaning = '']) => {
    const supported = Object.hasOwn(supports, name) ? supports[name] : undefined
    const row = `${section.number} ${name}`
    if (!supported) return findings(row, ['nothing walks this row'])
    const without = collections(service).filter(({ query }) => !supported(query))
    return findings(row, [
      ...without.map(({ endpoint }) => `not supported by ${endpoint.name}`),
      ...(toldBelow.has(meaning) || quoted(service, section.number, meaning) ? [] : ['no clause']),
    ])
  })
}
