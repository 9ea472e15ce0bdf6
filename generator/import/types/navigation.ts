import type { NavigationDocument } from '../../../spec/language/index.js'
import { record } from '../../../spec/language/resolve/record.js'
import { descriptionsOf } from '../annotations/said-of.js'
import { type CsdlElement, childrenOf, isTrue } from '../csdl/csdl-element.js'
import { loss } from '../finding.js'
import { compact } from '../spec/compact.js'
import type { ImportContext } from './import-context.js'
import { importType } from './value-type.js'

const onDelete = new Map([
  ['Cascade', 'cascade'],
  ['None', 'none'],
  ['SetNull', 'setNull'],
  ['Restrict', 'restrict'],
] as const)

/**
 * A relation; undefined for one that leads to no entity type of the document. Its partner is filled in when all relations
 * are known.
 */
export function importNavigation(
  context: ImportContext,
  element: CsdlElement,
  path: string,
): NavigationDocument | undefined {
  const type = importType(context, element, path)
  if (type === undefined) return undefined
  if (type.named?.element.name !== 'EntityType') {
    context.note(loss('relation', 'A relation leads to items of an entity type', path, element.spot))
    return undefined
  }
  const constraint = constraintOf(context, element, path)
  const action = childrenOf(element, 'OnDelete')[0]?.attributes.get('Action')
  return compact({
    to: type.type,
    collection: type.collection || undefined,
    nullable: !type.collection && (element.attributes.get('Nullable') ?? 'true') === 'true' ? true : undefined,
    contained: isTrue(element, 'ContainsTarget') || undefined,
    constraint,
    onDelete: [...onDelete].find(([word]) => word === action)?.[1],
    ...descriptionsOf(context.annotations.of(element, path)),
  })
}

function constraintOf(context: ImportContext, element: CsdlElement, path: string): NavigationDocument['constraint'] {
  const pairs = childrenOf(element, 'ReferentialConstraint').flatMap(({ attributes, spot }) => {
    const [property, referenced] = [attributes.get('Property') ?? '', attributes.get('ReferencedProperty') ?? '']
    if (property !== '' && referenced !== '' && !`${property}${referenced}`.includes('/'))
      return [[property, referenced] as const]
    context.note(loss('constraint', 'A constraint pairs properties by name, not by path', path, spot))
    return []
  })
  return pairs.length === 0 ? undefined : record(pairs)
}
