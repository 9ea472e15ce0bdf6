import type { Endpoint, PathKey } from '../model/endpoint.js'
import type { Operation } from '../model/operation.js'
import { unqualified } from '../resolve/path/qualified-names.js'
import type { KeyData, SegmentData } from './table-data.js'
import { typeName } from './type-table.js'

/**
 * What a request path is matched against: the template as the spec writes it, each `{variable}` with the key that it is,
 * each call with the operation's name, its qualified one where that does not begin with the service's namespace, and its
 * parameters where a function has overloads.
 *
 * @param hasOverloads whether another function has the qualified name
 */
export function pathSegments(
  endpoint: Endpoint,
  namespace: string,
  hasOverloads: (operation: Operation) => boolean,
): readonly SegmentData[] {
  const operations = new Map<string, SegmentData>()
  for (const segment of endpoint.resolved) {
    if (segment.kind !== 'operation') continue
    const { qualifiedName } = segment.operation
    const name = unqualified(qualifiedName)
    const isOwn = qualifiedName === `${namespace}.${name}`
    const overload = hasOverloads(segment.operation) ? { overload: Object.keys(segment.variables) } : {}
    operations.set(name, { kind: 'operation', name, ...(isOwn ? {} : { qualifiedName }), ...overload })
  }
  const parts = endpoint.path.template.split('/').filter(part => part !== '')
  return parts.flatMap((part, index) => segmentsOf(part, index === parts.length - 1, endpoint, operations))
}

const variablePart = /^\{([^{}]+)\}$/
const parenthesised = /^([^(]+)\((.*)\)$/
const variables = /\{([^{}]+)\}/g

function segmentsOf(
  part: string,
  last: boolean,
  endpoint: Endpoint,
  operations: ReadonlyMap<string, SegmentData>,
): readonly SegmentData[] {
  if (part === '$count') return [{ kind: 'count' }]
  if (last && endpoint.kind === 'delta') return [{ kind: 'delta' }]
  const variable = variablePart.exec(part)?.[1]
  if (variable !== undefined) return [{ kind: 'key', keys: keysOf([variable], endpoint) }]
  const [, name = part, inside = ''] = parenthesised.exec(part) ?? []
  const called = operations.get(unqualified(name))
  if (called !== undefined) return [called]
  // The path may call it by another name.
  if (last && endpoint.kind === 'call') return [{ kind: 'operation', name }]
  const names = [...inside.matchAll(variables)].map(match => match[1] ?? '')
  if (names.length === 0) return [{ kind: 'name', name: part }]
  return [
    { kind: 'name', name },
    { kind: 'key', keys: keysOf(names, endpoint) },
  ]
}

function keysOf(names: readonly string[], endpoint: Endpoint): readonly KeyData[] {
  return names.map(name => endpoint.keys.find(key => key.variable === name)).flatMap(key => (key ? [keyData(key)] : []))
}

function keyData({ variable, property }: PathKey): KeyData {
  return { variable, property: property.name, type: typeName(property.type) }
}
