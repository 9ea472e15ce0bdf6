import type { PropertyDocument } from '../../../spec/language/index.js'
import type { Said } from '../annotations/annotation-index.js'
import { descriptionsOf } from '../annotations/said-of.js'
import { textOf } from '../annotations/value.js'
import type { CsdlElement } from '../csdl/csdl-element.js'
import { loss } from '../finding.js'
import { compact } from '../spec/compact.js'
import { oneOf } from '../spec/one-of.js'
import { importDefault } from './default-value.js'
import { importFacets } from './facets.js'
import type { ImportContext } from './import-context.js'
import { importType } from './value-type.js'

/** How Entity Framework says that a database makes a value. */
const storeGenerated = '{http://schemas.microsoft.com/ado/2009/02/edm/annotation}StoreGeneratedPattern'

/**
 * A structural property; undefined for one of a type that a spec does not have.
 *
 * @param path its target path, `ns.type/property`
 * @param isKey whether it is part of the key: a service may make keys, and never changes them
 */
export function importProperty(
  context: ImportContext,
  element: CsdlElement,
  path: string,
  isKey: boolean,
): PropertyDocument | undefined {
  const type = importType(context, element, path)
  if (type === undefined) return undefined
  if (type.named?.element.name === 'EntityType') {
    const message = 'A structural property cannot be of an entity type; relations lead to items'
    context.note(loss('entity-as-value', message, path, element.spot))
    return undefined
  }
  const said = context.annotations.of(element, path)
  const computed = isComputed(element, said)
  const isForeignKey = isKey && !context.isExport
  return compact({
    type: type.type,
    collection: type.collection || undefined,
    nullable: (element.attributes.get('Nullable') ?? 'true') === 'true' && !isKey ? true : undefined,
    ...importFacets(element, said, type.primitive, path, context.note),
    computed: computed || undefined,
    createOnly: !computed && (said('Core.Immutable') === true || isForeignKey) ? true : undefined,
    required: required(said, isForeignKey && !computed),
    unique: said('Specwright.Unique') === true || undefined,
    returned: oneOf(textOf(said('Specwright.Returned')), ['always', 'byDefault', 'onSelect'] as const),
    default: said('Specwright.NullDefault') === true ? null : importDefault(element, type),
    stamp: oneOf(textOf(said('Specwright.Stamp')), ['created', 'changed'] as const),
    search: oneOf(textOf(said('Specwright.Search')), ['words', 'prefix'] as const),
    index: said('Specwright.Index') === true || undefined,
    ...descriptionsOf(said),
  })
}

function isComputed(element: CsdlElement, said: Said): boolean {
  const generated = element.attributes.get(storeGenerated)
  const permissions = textOf(said('Core.Permissions'))
  return (
    said('Core.Computed') === true || permissions === 'Read' || generated === 'Identity' || generated === 'Computed'
  )
}

/** A key that a service may make need not be there. */
function required(said: Said, isForeignKey: boolean): boolean | undefined {
  const stated = said('Specwright.Required')
  return typeof stated === 'boolean' ? stated : isForeignKey ? false : undefined
}
