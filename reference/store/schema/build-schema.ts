import type { EntityType, Property, Service, ValueType } from '../../../spec/language/index.js'
import { isDerived, rootOf } from './is-derived.js'
import { nameAllocator } from './name-allocator.js'
import { navigationOf } from './navigation-of.js'
import { relationBuilder } from './relation-builder.js'
import { storedTypeOfProperty } from './storage.js'
import type { Column, LinkTable, OwnerColumn, ReferenceColumn, StoreSchema, Table, WordTable } from './store-schema.js'

/** A table while its columns are being gathered. */
export interface TableDraft extends Table {
  readonly owners: OwnerColumn[]
  readonly references: ReferenceColumn[]
  readonly allocate: (wanted: string) => string
}

/** Derives the schema of a service's store: one table for each hierarchy of entity types. */
export function buildSchema(service: Service): StoreSchema {
  const allocate = nameAllocator()
  const drafts = new Map<EntityType, TableDraft>()
  const rootTable = (type: EntityType): TableDraft => found(drafts.get(rootOf(type)), type.name)
  for (const type of service.entityTypes) {
    if (type.base === undefined) drafts.set(type, tableDraft(type, service, allocate))
  }
  for (const navigation of navigationOf(service)) {
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

function tableDraft(root: EntityType, service: Service, allocateTable: (wanted: string) => string): TableDraft {
  const types = service.entityTypes.filter(type => isDerived(type, root))
  const allocate = nameAllocator()
  const columns = new Map<Property, Column>()
  for (const property of types.flatMap(type => type.ownProperties)) {
    if (property.type.kind === 'primitive' && property.type.name === 'Stream') continue
    columns.set(property, { name: allocate(property.name), property, type: storedTypeOfProperty(property) })
  }
  const name = allocateTable(root.name)
  return {
    name,
    root,
    types: types.filter(type => !type.abstract),
    columns: [...columns.values()],
    columnOf: property => found(columns.get(property), `${root.name}/${property.name}`),
    owners: [],
    references: [],
    topLevel: service.container.some(({ type }) => rootOf(type) === root),
    tracked: service.endpoints.some(endpoint => endpoint.kind === 'delta' && rootOf(endpoint.type) === root),
    words: wordTable(types, allocateTable(`${name}$words`)),
    allocate,
  }
}

function wordTable(types: readonly EntityType[], name: string): WordTable | undefined {
  const properties = types.flatMap(type => type.ownProperties).filter(property => property.search !== 'none')
  return properties.length === 0 ? undefined : { name, properties }
}

/** The model resolves all its references: that one is missing here is a bug. */
function found<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new TypeError(`The schema has no ${name}.`)
  return value
}
