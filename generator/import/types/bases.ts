import type { NamedElement } from '../csdl/catalogue.js'
import { loss } from '../finding.js'
import type { ImportContext } from './import-context.js'

/** More than any model has: what each type inherits is worked out for each. */
const longestLine = 64

/** What each structured type derives from. A base that is none, closes a circle or ends too long a line is noted and cut. */
export function basesOf({ catalogue, names, note }: ImportContext): ReadonlyMap<NamedElement, NamedElement> {
  const written = new Map<NamedElement, NamedElement>()
  for (const type of catalogue.types.values()) {
    const { name, attributes, spot } = type.element
    const base = attributes.get('BaseType')
    if (base === undefined || (name !== 'EntityType' && name !== 'ComplexType')) continue
    const found = catalogue.types.get(catalogue.qualify(base))
    if (found?.element.name === name && names.types.has(found.qualifiedName)) written.set(type, found)
    else
      note(
        loss('base', 'A type derives from one of its own kind in the document', `${type.qualifiedName}: ${base}`, spot),
      )
  }
  const bases = new Map<NamedElement, NamedElement>()
  for (const [type, base] of written) {
    const line = lineAbove(type, written)
    if (line.includes(type) || line.length > longestLine) {
      const message = `A type derives from at most ${longestLine} others, and not from itself`
      note(loss('base', message, type.qualifiedName, type.element.spot))
    } else bases.set(type, base)
  }
  return bases
}

/** What a type derives from, the nearest first; a few more than are allowed when there are too many. */
export function lineAbove(type: NamedElement, bases: ReadonlyMap<NamedElement, NamedElement>): readonly NamedElement[] {
  const line: NamedElement[] = []
  let base = bases.get(type)
  while (base !== undefined && line.length <= longestLine) {
    line.push(base)
    if (base === type) break
    base = bases.get(base)
  }
  return line
}
