import type { PrimitiveTypeName } from '../../../spec/language/index.js'
import type { Said } from '../annotations/annotation-index.js'
import { numberOf, textOf } from '../annotations/value.js'
import type { CsdlElement } from '../csdl/csdl-element.js'
import { loss, type Note } from '../finding.js'
import { type Compact, compact } from '../spec/compact.js'

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
export type ImportedFacets = Compact<AllFacets>

/**
 * The facets of a value. What only repeats that anything goes is left out: the longest length, a scale that varies, all
 * twelve digits of a second.
 *
 * @see OData CSDL 4.01, 7.2 (type facets); Validation vocabulary
 */
export function importFacets(
  element: CsdlElement,
  said: Said,
  primitive: PrimitiveTypeName | undefined,
  what: string,
  note: Note,
): ImportedFacets {
  const { attributes, spot } = element
  const whole = (name: string): number | undefined => {
    const text = attributes.get(name)
    if (text === undefined) return undefined
    if (/^\d{1,9}$/.test(text)) return Number(text)
    if (!(words.get(name) ?? []).includes(text)) {
      note(loss('facet', `${name} must be a whole number`, `${what}: ${text}`, spot))
    }
    return undefined
  }
  const isTime = primitive === 'DateTimeOffset' || primitive === 'Duration' || primitive === 'TimeOfDay'
  const precision = whole('Precision')
  return compact<AllFacets>({
    minLength: numberOf(said('Specwright.MinLength')),
    maxLength: whole('MaxLength'),
    minItems: numberOf(said('Validation.MinItems')),
    maxItems: numberOf(said('Validation.MaxItems')),
    minimum: numberOf(said('Validation.Minimum')),
    maximum: numberOf(said('Validation.Maximum')),
    pattern: textOf(said('Validation.Pattern')),
    precision: isTime && precision === mostFractionalDigits ? undefined : precision,
    scale: attributes.get('Scale') === 'floating' ? 'floating' : whole('Scale'),
    unicode: attributes.get('Unicode') === 'false' ? false : undefined,
    srid: attributes.get('SRID') === 'variable' ? 'variable' : whole('SRID'),
  })
}

const mostFractionalDigits = 12

/** What the attributes may say beside numbers. */
const words: ReadonlyMap<string, readonly string[]> = new Map([
  ['MaxLength', ['max', 'Max']],
  ['Scale', ['variable', 'Variable', 'floating']],
  ['SRID', ['variable', 'Variable']],
])
