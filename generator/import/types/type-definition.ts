import type { TypeDefinitionDocument } from '../../../spec/language/index.js'
import { descriptionsOf } from '../annotations/said-of.js'
import type { NamedElement } from '../csdl/catalogue.js'
import { loss } from '../finding.js'
import { compact } from '../spec/compact.js'
import { importFacets } from './facets.js'
import type { ImportContext } from './import-context.js'
import { importType } from './value-type.js'

/** A type definition; undefined for one of what is no primitive type. @see OData CSDL 4.01, 11 */
export function importTypeDefinition(
  context: ImportContext,
  { qualifiedName, element }: NamedElement,
): TypeDefinitionDocument | undefined {
  const { annotations, note } = context
  const type = importType(context, element, qualifiedName, 'UnderlyingType')
  if (type === undefined) return undefined
  if (type.named !== undefined || type.collection) {
    note(loss('type-definition', 'A type definition stands for a primitive type', qualifiedName, element.spot))
    return undefined
  }
  const said = annotations.of(element, qualifiedName)
  const { maxLength, precision, scale, pattern, ...others } = importFacets(
    element,
    said,
    type.primitive,
    qualifiedName,
    note,
  )
  if (Object.keys(others).length > 0) {
    const what = `${qualifiedName}: ${Object.keys(others).join(', ')}`
    note(loss('facet', 'A type definition has no such facets in a spec', what, element.spot))
  }
  return compact({
    kind: 'typeDefinition' as const,
    type: type.type,
    maxLength,
    precision,
    scale,
    pattern,
    ...descriptionsOf(said),
  })
}
