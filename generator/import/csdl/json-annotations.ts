import { pointerTo } from '../../../spec/language/index.js'
import type { AnnotationValue, CsdlElement } from './csdl-element.js'

/** The members of an object, with any name; none if the value is not an object. */
export type JsonMembers = ReadonlyMap<string, unknown>

export function membersOf(value: unknown): JsonMembers {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return new Map<string, unknown>(isObject ? Object.entries(value) : [])
}

/**
 * Annotations among the members of an object, `@Core.Description`, or those of one of its members,
 * `low@Core.Description`. Those of annotations, and of parts of their values, are below these.
 */
export function annotationElements(members: JsonMembers, location: string, of = ''): readonly CsdlElement[] {
  const below = annotationsBelow(members, location)
  return [...members].flatMap(([key, content]) => {
    if (!key.startsWith(`${of}@`)) return []
    const [term = '', qualifier] = key.slice(of.length + 1).split('#')
    if (term.includes('@')) return []
    const value = jsonConstant(content)
    const attributes = { Term: term, Qualifier: qualifier, ...(value === undefined ? { Path: '' } : {}) }
    const nested = [...(below.get(key) ?? []), ...annotationsWithin(content, pointerTo(location, key))]
    return [element('Annotation', attributes, pointerTo(location, key), nested, value)]
  })
}

/** Annotations of annotations by what they are about: `@Core.Description@Core.IsLanguageDependent`. */
function annotationsBelow(members: JsonMembers, location: string): ReadonlyMap<string, readonly CsdlElement[]> {
  const below = new Map<string, CsdlElement[]>()
  for (const key of members.keys()) {
    const end = key.lastIndexOf('@')
    if (key.indexOf('@') === end) continue
    const nested = element('Annotation', { Term: key.slice(end + 1) }, pointerTo(location, key))
    const known = below.get(key.slice(0, end))
    if (known === undefined) below.set(key.slice(0, end), [nested])
    else known.push(nested)
  }
  return below
}

/** The annotations of records, and of their members, at any depth of a value. */
function annotationsWithin(content: unknown, location: string): readonly CsdlElement[] {
  if (Array.isArray(content))
    return content.flatMap((item, index) => annotationsWithin(item, pointerTo(location, `${index}`)))
  return [...membersOf(content)].flatMap(([key, value]) => {
    const term = key.slice(key.indexOf('@') + 1)
    // `@type`, `@odata.type` and the like are not annotations: terms have a namespace or an alias.
    if (key.includes('@'))
      return term.includes('.') && !term.startsWith('odata.')
        ? [element('Annotation', { Term: term }, pointerTo(location, key), [])]
        : []
    return annotationsWithin(value, pointerTo(location, key))
  })
}

/** A constant value; undefined for one that depends on data: an object that begins with `$Path`, `$If` and the like. */
function jsonConstant(content: unknown): AnnotationValue | undefined {
  if (typeof content === 'string' || typeof content === 'number' || typeof content === 'boolean') return content
  if (content === null) return null
  if (Array.isArray(content)) return content.map(jsonConstant).filter(value => value !== undefined)
  const members = membersOf(content)
  if ([...members.keys()].some(key => key.startsWith('$'))) return undefined
  return {
    members: new Map([...members].flatMap(([key, value]) => (key.includes('@') ? [] : [[key, jsonConstant(value)]]))),
    read: new Set(),
  }
}

/** An element in the form of XML, without attributes that are not a text, number or boolean. */
export function element(
  name: string,
  attributes: Readonly<Record<string, unknown>>,
  location: string,
  children: readonly CsdlElement[] = [],
  value?: AnnotationValue,
): CsdlElement {
  const given = new Map<string, string>()
  for (const [attribute, content] of Object.entries(attributes)) {
    if (typeof content === 'string') given.set(attribute, content)
    else if (typeof content === 'number' || typeof content === 'boolean') given.set(attribute, String(content))
  }
  return { name, attributes: given, children, text: '', location, ...(value === undefined ? {} : { value }) }
}
