import type { Endpoint, PathKey } from '../model/endpoint.js'
import { unqualified } from '../resolve/path/qualified-names.js'
import type { KeyData, SegmentData } from './table-data.js'
import { typeName } from './type-table.js'

/**
 * What a request path is matched against: the template as the spec writes it, each `{variable}` with the key that it is,
 * each call with the operation's name alone.
 */
export function pathSegments(endpoint: Endpoint): readonly SegmentData[] {
  const operations = new Set<string>()
  for (const segment of endpoint.resolved)
    if (segment.kind === 'operation') operations.add(unqualified(segment.operation.qualifiedName))
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
  operations: ReadonlySet<string>,
): readonly SegmentData[] {
  if (part === '$count') return [{ kind: 'count' }]
  if (last && endpoint.kind === 'delta') return [{ kind: 'delta' }]
  const variable = variablePart.exec(part)?.[1]
  if (variable !== undefined) return [{ kind: 'key', keys: keysOf([variable], endpoint) }]
  const [, name = part, inside = ''] = parenthesised.exec(part) ?? []
  const called = unqualified(name)
  if (operations.has(called)) return [{ kind: 'operation', name: called }]
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
