import { pointerTo } from '../../../spec/language/source/pointer.js'
import type { CsdlElement } from '../csdl/csdl-element.js'
import { type Finding, fault } from '../finding.js'
import { annotationElements, type JsonMembers, membersOf } from './json-annotations.js'
import { containerElements } from './json-container.js'
import { element } from './json-element.js'
import { isBeyondMetadata } from './json-nesting.js'
import { operationElement } from './json-operation.js'
import { typeElement } from './json-type.js'

/**
 * Reads CSDL JSON into the elements of CSDL XML.
 *
 * @see OData CSDL JSON Representation 4.01
 */
export function readJson(text: string): CsdlElement | Finding {
  if (isBeyondMetadata(text)) {
    return fault(
      'too-deep',
      'Objects are nested more than 100 deep, or have more than 2,000,000 members; no metadata are like that.',
      0,
    )
  }
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    const spot = Number(/at position (\d+)/.exec(message)?.[1] ?? 0)
    return fault('not-well-formed', `The document is no well-formed JSON: ${message}.`, spot)
  }
  const root = membersOf(parsed)
  const version = root.get('$Version')
  if (typeof version !== 'string') {
    const message =
      'The document has no "$Version", so it is no CSDL JSON: what an OData 4 service answers to $metadata.'
    return fault('not-metadata', message, '')
  }
  if (!/^4\.\d+$/.test(version)) {
    return fault('odata-version', `This is CSDL ${version}; OData 4 is expected.`, '/$Version')
  }
  const schemas = [...root].flatMap(([namespace, schema]) =>
    namespace.startsWith('$') || namespace.startsWith('@') ? [] : [schemaElement(namespace, membersOf(schema))],
  )
  return element('Edmx', { Version: version, EntityContainer: root.get('$EntityContainer') }, '', [
    ...referenceElements(membersOf(root.get('$Reference'))),
    element('DataServices', {}, '', schemas),
  ])
}

function referenceElements(references: JsonMembers): readonly CsdlElement[] {
  return [...references].map(([uri, reference]) => {
    const spot = pointerTo('/$Reference', uri)
    const includes: unknown = membersOf(reference).get('$Include')
    const children = (Array.isArray(includes) ? includes : []).map((include: unknown) => {
      const members = membersOf(include)
      return element('Include', { Namespace: members.get('$Namespace'), Alias: members.get('$Alias') }, spot)
    })
    return element('Reference', { Uri: uri }, spot, children)
  })
}

function schemaElement(namespace: string, schema: JsonMembers): CsdlElement {
  const spot = pointerTo('', namespace)
  const children = [...schema].flatMap(([name, value]): readonly CsdlElement[] => {
    if (name.startsWith('$') || name.includes('@')) return []
    const at = pointerTo(spot, name)
    if (Array.isArray(value)) {
      return value.map((overload: unknown, index) => operationElement(name, membersOf(overload), pointerTo(at, index)))
    }
    const members = membersOf(value)
    if (members.get('$Kind') === 'EntityContainer') {
      const extended = members.get('$Extends')
      return [element('EntityContainer', { Name: name, Extends: extended }, at, containerElements(members, at))]
    }
    const type = typeElement(name, members, at)
    return type === undefined ? [] : [type]
  })
  const targets = [...membersOf(schema.get('$Annotations'))].map(([target, annotations]) => {
    const at = pointerTo(pointerTo(spot, '$Annotations'), target)
    return element('Annotations', { Target: target }, at, annotationElements(membersOf(annotations), at))
  })
  return element('Schema', { Namespace: namespace, Alias: schema.get('$Alias') }, spot, [
    ...children,
    ...targets,
    ...annotationElements(schema, spot),
  ])
}
