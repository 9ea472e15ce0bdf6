import { pointerTo } from '../../../spec/language/source/pointer.js'
import type { Value } from '../annotations/value.js'
import type { CsdlElement } from '../csdl/csdl-element.js'
import { element } from './json-element.js'

/** The members of an object, by any name that they may have; none of what is no object. */
export type JsonMembers = ReadonlyMap<string, unknown>

export function membersOf(value: unknown): JsonMembers {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return new Map<string, unknown>(isObject ? Object.entries(value) : [])
}

/**
 * Annotations among the members of an object, `@Core.Description`, or those of one of its members,
 * `low@Core.Description`. Annotations of annotations are left out.
 */
export function annotationElements(members: JsonMembers, spot: string, of = ''): readonly CsdlElement[] {
  return [...members].flatMap(([key, content]) => {
    if (!key.startsWith(`${of}@`)) return []
    const [term = '', qualifier] = key.slice(of.length + 1).split('#')
    if (term.includes('@')) return []
    const value = constantOf(content)
    const attributes = { Term: term, Qualifier: qualifier, ...(value === undefined ? { Path: '' } : {}) }
    return [element('Annotation', attributes, pointerTo(spot, key), [], value)]
  })
}

/** A constant value; undefined for one that depends on data: an object that begins with `$Path`, `$If` and the like. */
function constantOf(content: unknown): Value | undefined {
  if (typeof content === 'string' || typeof content === 'number' || typeof content === 'boolean') return content
  if (content === null) return null
  if (Array.isArray(content)) return content.map(constantOf).filter(value => value !== undefined)
  const members = membersOf(content)
  if ([...members.keys()].some(key => key.startsWith('$'))) return undefined
  return {
    members: new Map([...members].flatMap(([key, value]) => (key.includes('@') ? [] : [[key, constantOf(value)]]))),
    read: new Set(),
  }
}
