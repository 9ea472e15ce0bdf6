import type { ResourceDocument } from '../../../spec/language/index.js'
import type { NamedElement } from '../csdl/catalogue.js'
import { omission } from '../finding.js'
import type { ImportContext } from '../import-context.js'

type Resources = Readonly<Record<string, ResourceDocument>>

/** A type and its bases, the nearest first. */
export function typeAndBases(resources: Resources, type: string): readonly string[] {
  const line: string[] = []
  for (let each: string | undefined = type; each !== undefined && !line.includes(each); ) {
    line.push(each)
    const resource: ResourceDocument | undefined = resources[each]
    each = resource !== undefined && 'base' in resource ? resource.base : undefined
  }
  return line
}

/** More than any model has. The members of each type are computed for each separately. */
const mostAncestors = 64

/** What each structured type derives from. An invalid base, a cycle or too long a chain is reported and cut. */
export function basesOf({ catalogue, names, report }: ImportContext): ReadonlyMap<NamedElement, NamedElement> {
  const written = new Map<NamedElement, NamedElement>()
  for (const type of catalogue.types.values()) {
    const { name, attributes, location } = type.element
    const base = attributes.get('BaseType')
    if (base === undefined || (name !== 'EntityType' && name !== 'ComplexType')) continue
    const found = catalogue.types.get(catalogue.qualify(base))
    if (found?.element.name === name && names.types.has(found.qualifiedName)) written.set(type, found)
    else
      report(
        omission(
          'base',
          'A type must derive from a type of the same kind in the document',
          `${type.qualifiedName}: ${base}`,
          location,
        ),
      )
  }
  const bases = new Map<NamedElement, NamedElement>()
  for (const [type, base] of written) {
    const line = ancestorsOf(type, written)
    if (line.includes(type) || line.length > mostAncestors) {
      const message = `A type can have at most ${mostAncestors} ancestors, and cannot derive from itself`
      report(omission('base', message, type.qualifiedName, type.element.location))
    } else bases.set(type, base)
  }
  return bases
}

/** What a type derives from, the nearest first; a few more than the limit if there are too many. */
export function ancestorsOf(
  type: NamedElement,
  bases: ReadonlyMap<NamedElement, NamedElement>,
): readonly NamedElement[] {
  const line: NamedElement[] = []
  let base = bases.get(type)
  while (base !== undefined && line.length <= mostAncestors) {
    line.push(base)
    if (base === type) break
    base = bases.get(base)
  }
  return line
}
