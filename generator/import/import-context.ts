import { isPrimitiveTypeName, type PrimitiveTypeName } from '../../spec/language/index.js'
import type { AnnotationIndex } from './csdl/annotations.js'
import type { Catalogue, NamedElement } from './csdl/catalogue.js'
import type { CsdlElement, CsdlLocation } from './csdl/csdl-element.js'
import { typeReference } from './csdl/qualified-name.js'
import { omission, type ReportFinding } from './finding.js'
import type { ImportNames } from './names.js'

/** The context of every part of the import. */
export interface ImportContext {
  readonly catalogue: Catalogue
  readonly names: ImportNames
  readonly annotations: AnnotationIndex
  readonly report: ReportFinding
  /** The document was exported from a spec, so what it does not state is not in the spec. */
  readonly isExport: boolean
  /** The source of each part of the spec in the document, by JSON Pointer. */
  readonly origins: Map<string, CsdlLocation>
}

/** A type that a property, parameter or result names. */
export interface ImportedType {
  /** Its name in the spec. */
  readonly type: string
  readonly collection: boolean
  /** The primitive type on the wire, even for a type definition; absent for enumerations and structured types. */
  readonly primitive?: PrimitiveTypeName
  /** Absent for a primitive type. */
  readonly named?: NamedElement
}

/** The type that an element names; a type that a spec cannot name is reported. */
export function importType(
  context: ImportContext,
  element: CsdlElement,
  what: string,
  attribute = 'Type',
): ImportedType | undefined {
  const { catalogue, names, report } = context
  const { name, collection } = typeReference(element.attributes.get(attribute) ?? 'Edm.String')
  if (name.startsWith('Edm.')) {
    const primitive = name.slice('Edm.'.length)
    if (isPrimitiveTypeName(primitive)) return { type: primitive, collection, primitive }
    report(omission('type', `A spec has no type ${name}; what is of that type is left out`, what, element.location))
    return undefined
  }
  const qualified = catalogue.qualify(name)
  const named = catalogue.types.get(qualified)
  const type = names.types.get(qualified)
  if (named === undefined || type === undefined) {
    report(
      omission(
        'unknown-type',
        'Types that the document does not declare cannot be used',
        `${what}: ${name}`,
        element.location,
      ),
    )
    return undefined
  }
  const primitive = underlyingOf(named.element)
  return { type, collection, named, ...(primitive === undefined ? {} : { primitive }) }
}

/** The underlying type of a type definition. */
function underlyingOf({ name, attributes }: CsdlElement): PrimitiveTypeName | undefined {
  const underlying = name === 'TypeDefinition' ? (attributes.get('UnderlyingType') ?? '').replace(/^Edm\./, '') : ''
  return isPrimitiveTypeName(underlying) ? underlying : undefined
}
