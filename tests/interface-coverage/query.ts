import type { Clause, FilterCapabilities, QueryCapabilities, Service } from '../../spec/language/index.js'
import { type Gap, gaps, type InterfaceSection, isQuoted, queryableCollections } from './interface-document.js'

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

/** Meanings that need no clause, because the rest of 4.2 defines them. */
const definedBelow: ReadonlySet<string> = new Set(['OData filter expression'])

/** 4.2, the table: each collection supports each parameter. */
export function checkQueryParameters(section: InterfaceSection, service: Service): readonly Gap[] {
  return section.rows.flatMap(([name = '', , meaning = '']) => {
    const supported = Object.hasOwn(supports, name) ? supports[name] : undefined
    const row = `${section.number} ${name}`
    if (!supported) return gaps(row, ['nothing checks this row'])
    const without = queryableCollections(service).filter(({ query }) => !supported(query))
    return gaps(row, [
      ...without.map(({ endpoint }) => `not supported by ${endpoint.name}`),
      ...(definedBelow.has(meaning) || isQuoted(service, section.number, meaning) ? [] : ['no clause']),
    ])
  })
}

/** 4.2, "Filter grammar shown": each collection supports each operator, function and lambda, and a clause quotes each bullet. */
export function checkFilterGrammar(section: InterfaceSection, service: Service): readonly Gap[] {
  return section.bullets.flatMap(bullet => [
    ...constructs(bullet).flatMap(([name, supports]) => {
      const without = queryableCollections(service).filter(({ query }) => !supports(query.filter))
      return gaps(
        `${section.number} ${name}`,
        without.map(({ endpoint }) => `not supported by ${endpoint.name}`),
      )
    }),
    ...sentences(bullet).flatMap(sentence =>
      gaps(`${section.number} ${sentence}`, { 'no clause': !isQuoted(service, section.number, sentence) }),
    ),
  ])
}

type Construct = readonly [name: string, supports: (filter: FilterCapabilities) => boolean]

function constructs(bullet: string): readonly Construct[] {
  const [, kind = '', rest = ''] = /^([^:]*): ([^.]*)/.exec(bullet) ?? []
  switch (kind) {
    case 'Comparison operators':
    case 'Logical operators':
      return words(rest.replace(', with parentheses', '')).map(name => [
        name,
        filter => isSupported(filter.operators, name),
      ])
    case 'Functions':
      return [...rest.matchAll(/(\w+)\(/g)].flatMap(([, name]) =>
        name === undefined ? [] : [[name, filter => isSupported(filter.functions, name.toLowerCase())]],
      )
    case 'Collection lambda':
      return [...rest.matchAll(/\/(\w+)\(/g)].flatMap(([, name]) =>
        name === undefined ? [] : [[name, filter => isSupported(filter.lambdas, name)]],
      )
    default:
      return [[bullet, () => false]]
  }
}

function isSupported(supported: Readonly<Record<string, string>>, name: string): boolean {
  return Object.hasOwn(supported, name) && supported[name] !== 'none'
}

function words(list: string): readonly string[] {
  return list.split(',').map(word => word.trim())
}

function sentences(bullet: string): readonly string[] {
  return bullet.split(/(?<=\.) (?=[A-Z])/)
}

/** 4.2, "Rules": a clause quotes each rule completely, and the capabilities comply with it. */
export function checkRules(section: InterfaceSection, service: Service): readonly Gap[] {
  return section.rules.flatMap((rule, index) => {
    const number = index + 1
    const clause = service.clauses.find(({ quote }) => quote === rule)
    const row = `${section.number} rule ${number}`
    if (!clause) return gaps(row, ['no clause'])
    return gaps(row, [
      ...(clause.ref === row ? [] : ['the clause refers elsewhere']),
      ...(ruleProblems[number]?.(service, clause) ?? ['nothing checks this rule']),
    ])
  })
}

const ruleProblems: Readonly<Record<number, (service: Service, clause: Clause) => readonly string[]>> = {
  1: service =>
    queryableCollections(service).flatMap(({ endpoint, query }) =>
      ['filter.contains', 'search', 'filter.any'].flatMap(construct =>
        requiresHeader(query, construct) ? [] : [`${endpoint.name} does not demand the header for ${construct}`],
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

function requiresHeader(query: QueryCapabilities, construct: string): boolean {
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
  return queryableCollections(service).flatMap(({ endpoint, query }) =>
    support(query) === 'none' ? [`${endpoint.name} does not support ${option}`] : [],
  )
}
