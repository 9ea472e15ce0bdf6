import type { PrimitiveTypeName, ResourceDocument, TypeDefinitionDocument } from '../../../spec/language/index.js'
import { descriptionsOf, renameOf, type TermLookup } from '../csdl/annotations.js'
import type { NamedElement } from '../csdl/catalogue.js'
import { type CsdlElement, numberOf, textOf } from '../csdl/csdl-element.js'
import { omission, type ReportFinding } from '../finding.js'
import { type ImportContext, importType } from '../names.js'
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
    ...renameOf(lookup),
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
