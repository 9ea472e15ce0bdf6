import type {
  Condition,
  EntityType,
  NavigationProperty,
  QueryCapabilities,
  Service,
} from '../../../spec/language/index.js'
import { valueIdentifier } from '../../names/identifiers.js'
import { typeName } from '../../names/name-table.js'
import { literalUnion, stringLiteral } from '../../text/literals.js'
import { annotatedDocs } from '../doc-comments.js'
import type { CodeFile } from '../emit-context.js'
import { derivedEntityTypes } from '../types/value-types.js'

/** A function that returns the headers that a query requires, as `templates/client.hbs` shows it. */
interface ConditionsView {
  readonly docs: readonly string[]
  readonly name: string
  /** Every query requires every header. */
  readonly isConstant: boolean
  readonly headers: readonly RequiredHeader[]
}

interface RequiredHeader {
  readonly name: string
  readonly value: string
  /** The expression that decides whether `query` requires the header; empty if every query does. */
  readonly test: string
}

/** The functions that return the headers that queries require. Endpoints share equal ones. */
export interface RequiredHeadersTable {
  /** The function for queries of an endpoint of a kind; undefined when they require no header. */
  nameOf(query: QueryCapabilities, kind: 'collection' | 'count'): string | undefined
  views(): readonly ConditionsView[]
}

export function requiredHeadersTable(file: CodeFile): RequiredHeadersTable {
  const views: ConditionsView[] = []
  const known = new Map<string, string>()
  return {
    nameOf(query, kind) {
      const headers = requiredHeaders(query.requires, kind)
      if (headers.length === 0) return undefined
      const content = JSON.stringify(headers)
      const declared = known.get(content)
      if (declared !== undefined) return declared
      // Named after the error that they avoid. If that has several functions, named after the first query that requires them.
      const [first] = query.requires
      const ofError = `${valueIdentifier(first?.otherwise.name ?? '')}Conditions`
      const ofQuery = `${valueIdentifier(query.name)}Conditions`
      const name = file.scope.claim(file.scope.taken.has(ofError) ? ofQuery : ofError, '_')
      known.set(content, name)
      const docs = [...new Set(query.requires.flatMap(condition => annotatedDocs(condition)))]
      views.push({ docs, name, isConstant: headers.every(({ test }) => test === ''), headers })
      return name
    },
    views: () => views,
  }
}

function requiredHeaders(conditions: readonly Condition[], kind: 'collection' | 'count'): readonly RequiredHeader[] {
  const byHeader = new Map<string, { readonly header: Condition['header']; readonly when: (readonly string[])[] }>()
  for (const { header, when } of conditions) {
    const key = JSON.stringify([header.name.toLowerCase(), header.value])
    const entry = byHeader.get(key) ?? { header, when: [] }
    byHeader.set(key, entry)
    for (const all of when) {
      // `countPath` holds for every count and for nothing else, so it is decided here.
      if (kind === 'count') entry.when.push(all.filter(construct => construct !== 'countPath'))
      else if (!all.includes('countPath')) entry.when.push(all)
    }
  }
  return [...byHeader.values()].flatMap(({ header: { name, value }, when }) => {
    if (when.length === 0) return []
    return [{ name, value, test: when.some(all => all.length === 0) ? '' : anyOf(when) }]
  })
}

/** Constructs that suffice alone share one test. Constructs that must occur together have one test each. */
function anyOf(alternatives: readonly (readonly string[])[]): string {
  const alone = alternatives.filter(all => all.length === 1).flat()
  const together = alternatives.filter(all => all.length > 1)
  const tests = [
    ...(alone.length > 0 ? [constructTest(alone)] : []),
    ...together.map(all => {
      const every = all.map(construct => constructTest([construct])).join(' && ')
      return alternatives.length === 1 ? every : `(${every})`
    }),
  ]
  return tests.join(' || ')
}

/**
 * Whether the percent-encoded text of a query holds any of the constructs. A false match only adds a header, a missed one
 * causes a rejection. Filters and searches inside `$expand` count; there `$` and `=` are encoded.
 */
function constructTest(constructs: readonly string[]): string {
  const options: string[] = []
  const calls: string[] = []
  const operators: string[] = []
  const others: string[] = []
  for (const construct of new Set(constructs)) {
    const [option = '', ...rest] = construct.split('.')
    const name = rest.join('.').toLowerCase()
    if (construct === 'search') others.push('(\\$|%24)search(=|%3D)')
    else if (name === '') options.push(option === 'count' ? 'count=true' : `${escaped(option)}=`)
    else if (binaryOperators.has(name)) operators.push(name)
    else if (name === 'not') others.push('not%20')
    else if (name === 'negate') others.push('-')
    else if (name.startsWith('$')) others.push(`%2F%24${escaped(name.slice(1))}`)
    else calls.push(escaped(name))
  }
  const patterns = [
    ...(calls.length > 0 ? [`${group(calls)}\\(`] : []),
    ...(operators.length > 0 ? [`%20${group(operators)}%20`] : []),
    ...(options.length > 0 ? [`\\$${group(options)}`] : []),
    ...others,
  ]
  // OData 4.01 accepts names of functions and operators in any letter case.
  return `/${patterns.join('|')}/i.test(query)`
}

const group = (names: readonly string[]): string => (names.length === 1 ? names.join('') : `(${names.join('|')})`)

const binaryOperators: ReadonlySet<string> = new Set(
  'eq ne gt ge lt le and or in has add sub mul div divby mod'.split(' '),
)

/** Without characters that have a meaning in a regular expression. No name of a construct has any. */
const escaped = (name: string): string => name.replace(/\W/g, '')

/** One entity type as the compiler sees it, as `templates/client.hbs` shows it. */
interface ShapeView {
  readonly name: string
  readonly properties: string
  readonly key: string
  readonly navigation: readonly {
    readonly name: string
    readonly shape: string
    readonly collection: boolean
    readonly nullable: boolean
  }[]
  /** The types that derive from it. Undefined: none does. */
  readonly derived: DerivedView | undefined
}

interface DerivedView {
  readonly types: readonly { readonly name: string; readonly shape: string }[]
  /** The qualified name of the type itself, as a literal. `never` if it is abstract. */
  readonly typeName: string
}

/** The shapes of entity types: their properties, their key, and where they lead. */
export interface EntityShapes {
  nameOf(type: EntityType): string
  /** The shapes that were requested, and all that they lead to. */
  views(): readonly ShapeView[]
}

export function entityShapes(service: Service, file: CodeFile): EntityShapes {
  const names = new Map<EntityType, string>()
  const derived = derivedEntityTypes(service)
  const nameOf = (type: EntityType): string => {
    const known = names.get(type) ?? file.scope.claim(`${typeName(file.names, type)}Shape`, '_')
    names.set(type, known)
    return known
  }
  const navigation = ({ name, type, collection, nullable }: NavigationProperty): ShapeView['navigation'][number] => ({
    name,
    shape: nameOf(type),
    collection,
    nullable,
  })
  const derivedView = (type: EntityType): DerivedView | undefined => {
    const types = (derived.get(type) ?? [])
      .filter(({ abstract }) => !abstract)
      .map(below => ({ name: below.qualifiedName, shape: nameOf(below) }))
    const typeName = type.abstract ? 'never' : stringLiteral(type.qualifiedName)
    return types.length === 0 ? undefined : { types, typeName }
  }
  return {
    nameOf,
    views: () => {
      const views = new Map<EntityType, ShapeView>()
      // A map also iterates over entries that are added meanwhile: the shapes that a shape leads to.
      for (const [type, name] of names) {
        views.set(type, {
          name,
          properties: file.typeReference(typeName(file.names, type)),
          key: literalUnion(type.key.map(property => property.name)),
          navigation: type.navigation.map(navigation),
          derived: derivedView(type),
        })
      }
      return service.entityTypes.flatMap(type => views.get(type) ?? [])
    },
  }
}
