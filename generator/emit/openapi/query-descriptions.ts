import type { EntityType, QueryCapabilities, Support } from '../../../spec/language/model/index.js'

/** What `$select` may name. */
export function selectDescription(type: EntityType | undefined): string {
  const names = type?.properties.map(({ name }) => name) ?? []
  return sentences(['Only these properties are returned.', list('Properties', names)])
}

/** What a filter may use. */
export function filterDescription(filter: QueryCapabilities['filter']): string {
  const properties = Object.entries(filter.properties)
  const refused = properties.filter(([, each]) => each.support === 'none').map(([path]) => path)
  const limited = properties.flatMap(([path, { support, operators, functions }]) => {
    const only = [...(operators ?? []), ...(functions ?? [])]
    return support === 'none' || (operators === undefined && functions === undefined)
      ? []
      : [`On ${path} only: ${only.join(', ')}.`]
  })
  return sentences([
    'An OData filter expression.',
    list('Operators', supported(filter.operators)),
    list('Functions', supported(filter.functions)),
    list('Lambda operators', supported(filter.lambdas)),
    list('Not by', refused),
    ...limited,
    filter.maxNodes === undefined ? '' : `At most ${filter.maxNodes} terms.`,
  ])
}

/** What items may be sorted by. */
export function orderbyDescription({ only, properties, maxKeys }: QueryCapabilities['orderby']): string {
  const refused = Object.keys(properties).filter(path => properties[path] === 'none')
  return sentences([
    'Properties to sort by, each ascending or followed by " desc".',
    list('Properties', only ?? []),
    list('Not by', refused),
    maxKeys === undefined ? '' : `At most ${maxKeys} keys.`,
  ])
}

/** What may be expanded. */
export function expandDescription({ relations, maxDepth, nested }: QueryCapabilities['expand']): string {
  return sentences([
    'Relations to include, with nested options in parentheses and semicolons between them.',
    list('Relations', supported(relations)),
    list(
      'Nested options',
      nested.map(name => `$${name}`),
    ),
    `At most ${maxDepth} ${maxDepth === 1 ? 'level' : 'levels'}.`,
  ])
}

/** How a search is written. */
export function searchDescription({ syntax, join, properties }: QueryCapabilities['search']): string {
  return sentences([
    syntax === 'propertyTerms' ? 'Terms of the form "property:term", with their double quotes.' : 'Words and phrases.',
    list('Joined by', join),
    list('Properties', properties),
  ])
}

function supported(record: Readonly<Record<string, Support>>): readonly string[] {
  return Object.keys(record).filter(name => record[name] !== 'none')
}

function list(label: string, names: readonly string[]): string {
  return names.length === 0 ? '' : `${label}: ${names.join(', ')}.`
}

function sentences(parts: readonly string[]): string {
  return parts.filter(part => part !== '').join(' ')
}
