import type { PrimitiveTypeName, TypeDefinitionDocument } from '../../../spec/language/index.js'
import { descriptionsOf, type TermLookup } from '../csdl/annotations.js'
import type { NamedElement } from '../csdl/catalogue.js'
import { type CsdlElement, numberOf, textOf } from '../csdl/csdl-element.js'
import { omission, type ReportFinding } from '../finding.js'
import { type ImportContext, importType } from '../import-context.js'
import { type Compact, compact } from '../spec-document.js'

/** A type definition; undefined if the underlying type is not a primitive type. @see OData CSDL 4.01, 11 */
export function importTypeDefinition(
  context: ImportContext,
  { qualifiedName, element }: NamedElement,
): TypeDefinitionDocument | undefined {
  const { annotations, report } = context
  const type = importType(context, element, qualifiedName, 'UnderlyingType')
  if (type === undefined) return undefined
  if (type.named !== undefined || type.collection) {
    report(
      omission(
        'type-definition',
        'The underlying type of a type definition must be a primitive type',
        qualifiedName,
        element.location,
      ),
    )
    return undefined
  }
  const lookup = annotations.of(element, qualifiedName)
  const { maxLength, precision, scale, pattern, ...others } = importFacets(
    element,
    lookup,
    type.primitive,
    qualifiedName,
    report,
  )
  if (Object.keys(others).length > 0) {
    const what = `${qualifiedName}: ${Object.keys(others).join(', ')}`
    report(omission('facet', 'A spec does not support these facets on a type definition', what, element.location))
  }
  return compact({
    kind: 'typeDefinition' as const,
    type: type.type,
    maxLength,
    precision,
    scale,
    pattern,
    ...descriptionsOf(lookup),
  })
}

interface AllFacets {
  readonly minLength: number | undefined
  readonly maxLength: number | undefined
  readonly minItems: number | undefined
  readonly maxItems: number | undefined
  readonly minimum: number | undefined
  readonly maximum: number | undefined
  readonly pattern: string | undefined
  readonly precision: number | undefined
  readonly scale: number | 'variable' | 'floating' | undefined
  readonly unicode: boolean | undefined
  readonly srid: number | 'variable' | undefined
}

/** Lengths, digits and bounds, as a spec writes them. */
type ImportedFacets = Compact<AllFacets>

/**
 * The facets of a value. Omits facets that do not restrict anything: the maximum length, a variable scale, all twelve digits
 * of a second.
 *
 * @see OData CSDL 4.01, 7.2 (type facets); Validation vocabulary
 */
export function importFacets(
  element: CsdlElement,
  lookup: TermLookup,
  primitive: PrimitiveTypeName | undefined,
  what: string,
  report: ReportFinding,
): ImportedFacets {
  const { attributes, location } = element
  const whole = (name: string): number | undefined => {
    const text = attributes.get(name)
    if (text === undefined) return undefined
    if (/^\d{1,9}$/.test(text)) return Number(text)
    if (!(words.get(name) ?? []).includes(text)) {
      report(omission('facet', `${name} must be a whole number`, `${what}: ${text}`, location))
    }
    return undefined
  }
  const isTime = primitive === 'DateTimeOffset' || primitive === 'Duration' || primitive === 'TimeOfDay'
  const precision = whole('Precision')
  return compact<AllFacets>({
    minLength: numberOf(lookup('Specwright.MinLength')),
    maxLength: whole('MaxLength'),
    minItems: numberOf(lookup('Validation.MinItems')),
    maxItems: numberOf(lookup('Validation.MaxItems')),
    minimum: numberOf(lookup('Validation.Minimum')),
    maximum: numberOf(lookup('Validation.Maximum')),
    pattern: textOf(lookup('Validation.Pattern')),
    precision: isTime && precision === mostFractionalDigits ? undefined : precision,
    scale: attributes.get('Scale') === 'floating' ? 'floating' : whole('Scale'),
    unicode: attributes.get('Unicode') === 'false' ? false : undefined,
    srid: attributes.get('SRID') === 'variable' ? 'variable' : whole('SRID'),
  })
}

const mostFractionalDigits = 12

/** The values of the attributes that are not numbers. */
const words: ReadonlyMap<string, readonly string[]> = new Map([
  ['MaxLength', ['max', 'Max']],
  ['Scale', ['variable', 'Variable', 'floating']],
  ['SRID', ['variable', 'Variable']],
])
