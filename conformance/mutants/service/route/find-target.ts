import type { Endpoint, ResolvedSegment } from '../../../../spec/language/index.js'
import type { Exchange } from '../exchange.js'
import type { Entity } from '../world/entity.js'
import { isOfType } from '../world/is-of-type.js'
import type { Target } from './target.js'

type KeySegment = Extract<ResolvedSegment, { readonly kind: 'key' }>

/** Follows the steps that a path stands for, down to its operation, count or delta. */
export function findTarget(endpoint: Endpoint, exchange: Exchange): Target {
  let target: Target = { kind: 'missing' }
  for (const segment of endpoint.resolved) {
    if (segment.kind === 'operation' || segment.kind === 'count' || segment.kind === 'delta') break
    target = follow(target, segment, exchange)
    if (target.kind === 'missing') return target
  }
  return target
}

function follow(target: Target, segment: ResolvedSegment, exchange: Exchange): Target {
  const { world } = exchange
  switch (segment.kind) {
    case 'entitySet': {
      const { name } = segment.element
      return { kind: 'many', rows: world.sets.get(name) ?? [], source: { kind: 'set', name } }
    }
    case 'singleton':
      return one(segment.element.principal ? world.principal : world.singletons.get(segment.element.name))
    case 'key':
      return target.kind === 'many' ? one(byKey(target.rows, segment, exchange)) : target
    case 'navigation': {
      if (target.kind !== 'one') return { kind: 'missing' }
      const rows = exchange.behaviour.related(target.row, segment.property, exchange)
      const [first] = rows
      if (segment.property.collection) {
        return { kind: 'many', rows, source: { kind: 'relation', owner: target.row, relation: segment.property } }
      }
      return first === undefined ? { kind: 'empty' } : one(first)
    }
    case 'cast':
      if (target.kind !== 'many') return target
      return { ...target, rows: target.rows.filter(row => isOfType(row.type, segment.type)) }
    default:
      return target
  }
}

function one(row: Entity | undefined): Target {
  return row === undefined ? { kind: 'missing' } : { kind: 'one', row }
}

function byKey(
  rows: readonly Entity[],
  { type, variables, style }: KeySegment,
  exchange: Exchange,
): Entity | undefined {
  return rows.find(row =>
    type.key.every((property, index) => {
      const written = exchange.variables.get(variables[index] ?? '') ?? ''
      const text = exchange.behaviour.readKey(style === 'parentheses' ? unquoted(written) : written, exchange)
      const value = row.values[property.name]
      const isGuid = property.type.kind === 'primitive' && property.type.name === 'Guid'
      return isGuid ? String(value).toLowerCase() === text.toLowerCase() : String(value) === text
    }),
  )
}

/** A key in parentheses is written as a literal, one in a segment as it is. */
function unquoted(text: string): string {
  return /^'.*'$/s.test(text) ? text.slice(1, -1).replaceAll("''", "'") : text
}
