import type { EntityType, NavigationProperty, Service } from '../../../spec/language/index.js'
import type { TableDraft } from './build-schema.js'
import { type DeclaredNavigation, navigationOf } from './navigation-of.js'
import type { Column, ConstraintPair, LinkTable, Relation } from './store-schema.js'

/**
 * Decides for each relation where it is kept: containment in the target, single relations in the source, referential
 * constraints in properties that are there anyway, the rest in link tables. The second end of a pair uses what the first
 * one has.
 */
export function relationBuilder(
  service: Service,
  tableOf: (type: EntityType) => TableDraft,
  links: LinkTable[],
  allocate: (wanted: string) => string,
): (navigation: NavigationProperty) => Relation {
  const relations = new Map<NavigationProperty, Relation>()
  const sources = new Map<NavigationProperty, EntityType>()
  const declared = navigationOf(service)
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
