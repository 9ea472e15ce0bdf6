import { typeIdentifier } from '../../names/identifier.js'
import type { AnnotationIndex } from '../annotations/annotation-index.js'
import { textOf } from '../annotations/value.js'
import type { Catalogue, NamedElement } from '../csdl/catalogue.js'
import { isTrue } from '../csdl/csdl-element.js'
import { isUsableName } from '../csdl/is-usable-name.js'
import { localName, typeReference } from '../csdl/qualified-name.js'
import { type NameClaims, prefixed } from './name-claims.js'

/**
 * Operations by their own names; overloads with the type before it that they are bound to.
 *
 * @param types what the spec calls the types
 */
export function operationNames(
  catalogue: Catalogue,
  annotations: AnnotationIndex,
  types: ReadonlyMap<string, string>,
  { claim }: NameClaims,
): ReadonlyMap<NamedElement, string> {
  const usable = catalogue.operations.filter(({ qualifiedName }) => isUsableName(localName(qualifiedName)))
  const counts = new Map<string, number>()
  for (const { qualifiedName } of usable) {
    const local = localName(qualifiedName)
    counts.set(local, (counts.get(local) ?? 0) + 1)
  }
  return new Map(
    usable.map(operation => {
      const { element, qualifiedName } = operation
      const local = localName(qualifiedName)
      const stated = textOf(annotations.of(element, qualifiedName)('Specwright.Name'))
      const bound = boundName(operation, catalogue, types)
      const overload = bound === undefined ? local : prefixed(bound, local)
      const own = counts.get(local) === 1 ? [local, overload] : [overload]
      const candidates = [...(stated === undefined ? [] : [stated]), ...own].filter(isUsableName)
      const name = claim(candidates, each => [`${typeIdentifier(each)}Parameters`, `operation ${each}`])
      return [operation, name] as const
    }),
  )
}

/** What an operation is bound to, for its name: `user`, `userCollection`. */
function boundName(
  { element }: NamedElement,
  { qualify }: Catalogue,
  types: ReadonlyMap<string, string>,
): string | undefined {
  if (!isTrue(element, 'IsBound')) return undefined
  const binding = element.children.find(({ name }) => name === 'Parameter')?.attributes.get('Type') ?? ''
  const { name, collection } = typeReference(binding)
  const type = types.get(qualify(name))
  return type === undefined ? undefined : `${type}${collection ? 'Collection' : ''}`
}
