import type { PropertyDocument } from '../../../spec/language/index.js'
import type { CsdlElement } from '../csdl/csdl-element.js'
import type { ImportedType } from './value-type.js'

const numbers: ReadonlySet<string> = new Set(['Byte', 'SByte', 'Int16', 'Int32', 'Int64', 'Double', 'Single'])

/** The default of a property as the spec writes it: XML has only its text. */
export function importDefault(
  element: CsdlElement,
  { primitive }: ImportedType,
): NonNullable<PropertyDocument['default']> | undefined {
  const text = element.attributes.get('DefaultValue')
  if (text === undefined) return undefined
  if (primitive === 'Boolean' && (text === 'true' || text === 'false')) return text === 'true'
  if (primitive !== undefined && numbers.has(primitive) && isNumber(text)) return Number(text)
  // A number where it can be one and come out as it went in: 1.0 is not 1.
  if (primitive === 'Decimal' && isNumber(text) && String(Number(text)) === text) return Number(text)
  return text
}

const isNumber = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text))
