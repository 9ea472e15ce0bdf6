import { suggest } from '../../diagnostics/suggest.js'
import { derivesFrom } from '../../model/derives-from.js'
import type { Operation } from '../../model/operation.js'
import { typeLine } from '../../model/type-line.js'
import type { StructuredType } from '../../model/types.js'
import { pointerTo } from '../../source/pointer.js'
import { chooseOperation, isBoundTo } from './choose-operation.js'
import type { TemplateArguments, TemplateSegment } from './path-template.js'
import type { PathFault, PathWalk, Position } from './path-walk.js'
import { unqualified } from './qualified-names.js'
import { takeProperty, takeRelation } from './take-member.js'
import { takeOperation } from './take-operation.js'

/** Takes a name within a path: a relation, a complex property, a type cast, a bound operation, or `delta` at the end. */
export function takeName(
  walk: PathWalk,
  position: Position,
  { name, arguments: given }: Extract<TemplateSegment, { readonly kind: 'name' }>,
  isLast: boolean,
): PathFault | undefined {
  const { type, collection } = position
  if (type.kind !== 'entityType' && type.kind !== 'complexType') {
    return { message: `"${name}" cannot follow a value of "${type.name}".` }
  }
  if (!collection) {
    const relation = type.navigation.find(each => each.name === name)
    if (relation) return takeRelation(walk, position, relation, given)
    const property = type.properties.find(each => each.name === name)
    if (property) return takeProperty(walk, position, property, given)
  }
  const cast = given === undefined ? castType(walk, name, type) : undefined
  if (cast) {
    walk.segments.push({ kind: 'cast', type: cast })
    walk.position = { ...position, type: cast }
    return undefined
  }
  const overloads = walk.elements.qualified.operations.get(name) ?? []
  const bound = overloads.filter(each => isBoundTo(each, type, collection))
  const operation = chooseOperation(bound, type, given)
  if (operation) return takeOperation(walk, operation, given, position)
  if (isLast && unqualified(name) === 'delta' && collection && type.kind === 'entityType' && !hasArguments(given)) {
    walk.segments.push({ kind: 'delta' })
    walk.target = { kind: 'delta', type }
    return undefined
  }
  return unknownName(walk, type, collection, name, overloads[0])
}

function castType(walk: PathWalk, name: string, from: StructuredType): StructuredType | undefined {
  const type = walk.elements.qualified.types.get(name)
  if (type?.kind !== 'entityType' && type?.kind !== 'complexType') return undefined
  return derivesFrom(type, from) ? type : undefined
}

const hasArguments = (given: TemplateArguments | undefined): boolean =>
  given !== undefined && !(given.kind === 'named' && given.variables.size === 0)

function unknownName(
  { elements }: PathWalk,
  type: StructuredType,
  collection: boolean,
  name: string,
  operation: Operation | undefined,
): PathFault {
  if (collection && type.navigation.some(relation => relation.name === name)) {
    const key = type.kind === 'entityType' ? type.key[0]?.name : undefined
    return { message: `"${name}" is a relation of one item; a key must stand before it, \`{${key ?? 'id'}}\`.` }
  }
  if (operation) {
    const to = operation.binding
      ? `${operation.binding.collection ? 'a collection of' : 'one'} "${operation.binding.type.name}"`
      : 'nothing, and begins a path'
    return { message: `The operation "${name}" is bound to ${to}.` }
  }
  const bound = [...elements.operations.values()].filter(each => isBoundTo(each, type, collection))
  const members = collection ? bound : [...type.navigation, ...type.properties, ...bound]
  const names = members.map(member => member.name)
  const where = collection ? `A collection of "${type.name}"` : `"${type.name}"`
  return {
    message: `${where} has no relation, complex property or operation "${name}".`,
    suggestion: suggest(name, names),
    missing: [
      pointerTo('/operations', unqualified(name)),
      ...typeLine(type).flatMap(({ place: { pointer } }) => [
        pointerTo(`${pointer}/navigation`, name),
        pointerTo(`${pointer}/properties`, name),
        `${pointer}/base`,
      ]),
    ],
  }
}
