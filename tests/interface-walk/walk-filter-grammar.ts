import type { FilterCapabilities, Service } from '../../spec/language/model/index.js'
import { collections } from './collections.js'
import { type Finding, findings } from './finding.js'
import type { InterfaceSection } from './interface-section.js'
import { quoted } from './quoted.js'

/** 4.2, "Filter grammar shown": each operator, function and lambda is supported on each collection, and each bullet quoted. */
export function walkFilterGrammar(section: InterfaceSection, service: Service): readonly Finding[] {
  return section.bullets.flatMap(bullet => [
    ...constructs(bullet).flatMap(([name, supports]) => {
      const without = collections(service).filter(({ query }) => !supports(query.filter))
      return findings(
        `${section.number} ${name}`,
        without.map(({ endpoint }) => `not supported by ${endpoint.name}`),
      )
    }),
    ...sentences(bullet).flatMap(sentence =>
      findings(`${section.number} ${sentence}`, { 'no clause': !quoted(service, section.number, sentence) }),
    ),
  ])
}

type Construct = readonly [name: string, supports: (filter: FilterCapabilities) => boolean]

function constructs(bullet: string): readonly Construct[] {
  const [, kind = '', rest = ''] = /^([^:]*): ([^.]*)/.exec(bullet) ?? []
  switch (kind) {
    case 'Comparison operators':
    case 'Logical operators':
      return words(rest.replace(', with parentheses', '')).map(name => [name, filter => has(filter.operators, name)])
    case 'Functions':
      return [...rest.matchAll(/(\w+)\(/g)].flatMap(([, name]) =>
        name === undefined ? [] : [[name, filter => has(filter.functions, name.toLowerCase())]],
      )
    case 'Collection lambda':
      return [...rest.matchAll(/\/(\w+)\(/g)].flatMap(([, name]) =>
        name === undefined ? [] : [[name, filter => has(filter.lambdas, name)]],
      )
    default:
      return [[bullet, () => false]]
  }
}

function has(supported: Readonly<Record<string, string>>, name: string): boolean {
  return Object.hasOwn(supported, name) && supported[name] !== 'none'
}

function words(list: string): readonly string[] {
  return list.split(',').map(word => word.trim())
}

function sentences(bullet: string): readonly string[] {
  return bullet.split(/(?<=\.) (?=[A-Z])/)
}
