import {
  derivesFrom,
  type EntityType,
  isStream,
  type NavigationProperty,
  type Property,
  type Service,
  type ValueType,
} from '../../../spec/language/index.js'
import {
  type Column,
  type ConstraintPair,
  type LinkTable,
  type OwnerColumn,
  type ReferenceColumn,
  type Relation,
  rootOf,
  type StoreSchema,
  storedTypeOfProperty,
  type Table,
  type WordTable,
} from '../../../sql/index.js'

/** A table under construction. */
interface TableDraft extends Table {
  readonly owners: OwnerColumn[]
  readonly references: ReferenceColumn[]
  readonly allocate: (preferred: string) => string
}

/** Derives the schema of a store from the model: one table per hierarchy of entity types. */
export function buildSchema(service: Service): StoreSchema {
  const allocate = nameAllocator()
  const drafts = new Map<EntityType, TableDraft>()
  const rootTable = (type: EntityType): TableDraft => found(drafts.get(rootOf(type)), type.name)
  for (const type of service.entityTypes) {
    if (type.base === undefined) drafts.set(type, tableDraft(type, service, allocate))
  }
  for (const navigation of declaredNavigation(service)) {
    if (!navigation.property.contained) continue
    const owner = rootTable(navigation.source)
    const target = rootTable(navigation.property.type)
    const name = target.allocate(`$owner.${navigation.property.name}`)
    target.owners.push({ name, relation: navigation.property, owner })
  }
  const links: LinkTable[] = []
  const relationOf = relationBuilder(service, rootTable, links, allocate)
  const types = new Map(service.entityTypes.map(type => [type.name, type]))
  const enums = new Map(service.enumTypes.map(type => [type.name, type]))
  const all = new Map<string, ValueType>(
    [service.entityTypes, service.complexTypes, service.enumTypes, service.typeDefinitions].flatMap(each =>
      each.map(type => [type.name, type] as const),
    ),
  )
  return {
    tables: [...drafts.values()],
    links,
    tableOf: rootTable,
    relationOf,
    typeOf: name => found(types.get(name), name),
    enumOf: name => found(enums.get(name), name),
    complexTypes: service.complexTypes,
    typeNamed: name => all.get(name),
  }
}

function tableDraft(root: EntityType, service: Service, allocateTable: (preferred: string) => string): TableDraft {
  const types = service.entityTypes.filter(type => derivesFrom(type, root))
  const allocate = nameAllocator()
  const columns = new Map<Property, Column>()
  for (const property of types.flatMap(type => type.ownProperties)) {
    if (isStream(property.type)) continue
    columns.set(property, { name: allocate(property.name), property, type: storedTypeOfProperty(property) })
  }
  const name = allocateTable(root.name)
  return {
    name,
    idStorage: 'integer',
    placesNulls: true,
    root,
    types: types.filter(type => !type.abstract),
    columns: [...columns.values()],
    columnOf: property => found(columns.get(property), `${root.name}/${property.name}`),
    owners: [],
    references: [],
    topLevel: service.container.some(({ type }) => rootOf(type) === root),
    tracksChanges: service.endpoints.some(endpoint => endpoint.kind === 'delta' && rootOf(endpoint.type) === root),
    words: wordTable(types, allocateTable(`${name}$words`)),
    ...(types.some(hasStreams) ? { streams: { name: allocateTable(`${name}$streams`) } } : {}),
    allocate,
  }
}

function hasStreams({ hasStream, ownProperties }: EntityType): boolean {
  return hasStream || ownProperties.some(({ type }) => isStream(type))
}

function wordTable(types: readonly EntityType[], name: string): WordTable | undefined {
  const properties = types.flatMap(type => type.ownProperties).filter(property => property.search !== 'none')
  return properties.length === 0 ? undefined : { name, properties }
}

/** The model resolves all references. A missing one is a bug. */
function found<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new TypeError(`The schema has no ${name}.`)
  return value
}

/** A relation and the type that declares it. */
interface DeclaredNavigation {
  readonly source: EntityType
  readonly property: NavigationProperty
}

/** The relations of all entity types, each once, in the order of the spec. */
function declaredNavigation(service: Service): readonly DeclaredNavigation[] {
  return service.entityTypes.flatMap(source => source.ownNavigation.map(property => ({ source, property })))
}

/**
 * Decides how each relation is stored: containment in a column of the target, single relations in a column of the source,
 * referential constraints in existing properties, and all others in link tables. Partner relations share their storage.
 */
function relationBuilder(
  service: Service,
  tableOf: (type: EntityType) => TableDraft,
  links: LinkTable[],
  allocate: (preferred: string) => string,
): (navigation: NavigationProperty) => Relation {
  const relations = new Map<NavigationProperty, Relation>()
  const sources = new Map<NavigationProperty, EntityType>()
  const declared = declaredNavigation(service)
  for (const { source, property } of declared) sources.set(property, source)

  const place = ({ source, property }: DeclaredNavigation): Relation => {
    const ends = { navigation: property, source: tableOf(source), target: tableOf(property.type) }
    const { partner } = property
    if (property.contained) return { ...ends, kind: 'contained', column: ownerColumn(ends.target, property) }
    if (partner?.contained === true) return { ...ends, kind: 'reference', column: ownerColumn(ends.source, partner) }
    if (property.constraint.length > 0) {
      return { ...ends, kind: 'constraint', dependent: 'source', pairs: constraintPairs(property, source, tableOf) }
    }
    if (partner !== undefined && partner.constraint.length > 0) {
      const dependent = sources.get(partner) ?? partner.type
      const pairs = constraintPairs(partner, dependent, tableOf).map(pair => ({
        source: pair.target,
        target: pair.source,
      }))
      return { ...ends, kind: 'constraint', dependent: 'target', pairs }
    }
    const other = partner === undefined ? undefined : relations.get(partner)
    if (other?.kind === 'reference') return { ...ends, kind: 'referenced', column: other.column }
    if (other?.kind === 'link') return { ...ends, kind: 'link', table: other.table, from: 'to', to: 'from' }
    if (!property.collection) return { ...ends, kind: 'reference', column: referenceColumn(ends, property) }
    if (partner !== undefined && !partner.collection) {
      const back = place({ source: property.type, property: partner })
      relations.set(partner, back)
      if (back.kind === 'reference') return { ...ends, kind: 'referenced', column: back.column }
    }
    const name = allocate(`${ends.source.name}$${property.name}`)
    links.push({ name, relation: property, from: ends.source, to: ends.target })
    return { ...ends, kind: 'link', table: name, from: 'from', to: 'to' }
  }

  for (const each of declared) {
    if (!relations.has(each.property)) relations.set(each.property, place(each))
  }
  return navigation => {
    const relation = relations.get(navigation)
    if (relation === undefined) throw new TypeError(`The schema has no relation ${navigation.name}.`)
    return relation
  }
}

function referenceColumn(
  ends: { readonly source: TableDraft; readonly target: TableDraft },
  relation: NavigationProperty,
) {
  const name = ends.source.allocate(relation.name)
  ends.source.references.push({ name, relation, target: ends.target })
  return name
}

function ownerColumn(table: TableDraft, relation: NavigationProperty): string {
  const owner = table.owners.find(candidate => candidate.relation === relation)
  if (owner === undefined) throw new TypeError(`The schema has no owner column for ${relation.name}.`)
  return owner.name
}

function constraintPairs(
  { constraint, type }: NavigationProperty,
  dependent: EntityType,
  tableOf: (type: EntityType) => TableDraft,
): readonly ConstraintPair[] {
  return constraint.map(pair => ({
    source: columnNamed(tableOf(dependent), dependent, pair.dependent),
    target: columnNamed(tableOf(type), type, pair.principal),
  }))
}

function columnNamed(table: TableDraft, type: EntityType, name: string): Column {
  const property = type.properties.find(candidate => candidate.name === name)
  if (property === undefined) throw new TypeError(`The type ${type.name} has no property ${name}.`)
  return table.columnOf(property)
}

/** PostgreSQL truncates names to 63 bytes. The suffixes of indexes and link tables must fit as well. */
const maxBytes = 40

/**
 * Allocates unique names. SQLite ignores letter case, and PostgreSQL truncates long names. The same sequence of requests
 * gives the same names, so that an existing store matches its schema.
 */
export function nameAllocator(): (preferred: string) => string {
  const taken = new Set<string>()
  return preferred => {
    const short = shortened(preferred)
    let name = short
    for (let next = 2; taken.has(name.toLowerCase()); next++) name = `${short}$${next}`
    taken.add(name.toLowerCase())
    return name
  }
}

function shortened(name: string): string {
  if (byteLength(name) <= maxBytes) return name
  let short = ''
  for (const character of name) {
    if (byteLength(short + character) > maxBytes) break
    short += character
  }
  return short
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).byteLength
}
