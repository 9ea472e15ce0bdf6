import { isPrimitiveTypeName } from '../../../spec/language/model/is-primitive-type-name.js'
import { typeIdentifier } from '../../names/identifier.js'
import type { AnnotationIndex } from '../annotations/annotation-index.js'
import { textOf } from '../annotations/value.js'
import type { Catalogue, NamedElement } from '../csdl/catalogue.js'
import type { CsdlElement } from '../csdl/csdl-element.js'
import { isUsableName } from '../csdl/is-usable-name.js'
import { localName, namespaceOf } from '../csdl/qualified-name.js'
import { loss, type Note } from '../finding.js'
import { type NameClaims, nameClaims, prefixed } from './name-claims.js'
import { operationNames } from './operation-names.js'

/** What the types and operations of a document are called in the spec. */
export interface ImportNames {
  /** By qualified name. A type that is absent cannot be named. */
  readonly types: ReadonlyMap<string, string>
  /** An operation that is absent cannot be named. */
  readonly operations: ReadonlyMap<NamedElement, string>
}

/**
 * Names types and operations so that no two clash, neither in the spec nor in generated code: by their own name where that
 * is free, else with the end of their namespace or, for an overload, the type that it is bound to.
 *
 * @param isExport the document is an export: its names were good enough before
 */
export function importNames(
  catalogue: Catalogue,
  annotations: AnnotationIndex,
  isExport: boolean,
  note: Note,
): ImportNames {
  const { types, operations } = catalogue
  for (const { qualifiedName, element } of [...types.values(), ...operations]) {
    const name = localName(qualifiedName)
    if (!isUsableName(name)) note(loss('name', unusable, name, element.spot))
  }
  const claims = nameClaims(['OpenEnum'])
  const named = typeNames(catalogue, annotations, isExport, claims)
  return { types: named, operations: operationNames(catalogue, annotations, named, claims) }
}

export const unusable = 'Names that are no simple identifiers of CSDL, or mean something else, cannot be kept'

function typeNames(
  { types, namespace }: Catalogue,
  annotations: AnnotationIndex,
  isExport: boolean,
  { claim }: NameClaims,
): ReadonlyMap<string, string> {
  const usable = [...types.values()].filter(({ qualifiedName }) => isUsableName(localName(qualifiedName)))
  const isOwn = ({ qualifiedName }: NamedElement): boolean => namespaceOf(qualifiedName) === namespace
  // The types of the service's own namespace first, so that they keep their names.
  const ordered = [...usable.filter(isOwn), ...usable.filter(type => !isOwn(type))]
  return new Map(
    ordered.map(({ qualifiedName, element }) => {
      const local = localName(qualifiedName)
      const stated = textOf(annotations.of(element, qualifiedName)('Specwright.Name'))
      const own = [local, prefixed(localName(namespaceOf(qualifiedName)), local), `${local}Type`]
      const candidates = [...(stated === undefined ? [] : [stated]), ...own]
      const suffixes = isExport ? [''] : suffixesOf(element)
      const name = claim(
        candidates.filter(each => isUsableName(each) && !isPrimitiveTypeName(each)),
        each => suffixes.map(suffix => typeIdentifier(each) + suffix),
      )
      return [qualifiedName, name] as const
    }),
  )
}

/** Behind the names of the types that code is made of: what a create, a change and a replacement accept. */
const suffixesOf = ({ name }: CsdlElement): readonly string[] =>
  name === 'EntityType' || name === 'ComplexType' ? ['', 'Create', 'Patch', 'Replace'] : ['']
