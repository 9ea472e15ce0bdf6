import type { Literal } from '../../runtime/query/index.js'
import { instantOf, instantText } from '../semantics/temporal.js'
import type { Session } from '../session/session.js'

/**
 * The literal that stands for a JSON value of a type; absent when there is none, or when the service's way to write it is
 * not known. Moments are written in UTC.
 */
export function literalOf(
  type: string,
  value: unknown,
  session: Pick<Session, 'choices' | 'types'>,
): Literal | undefined {
  switch (type) {
    case 'Edm.String':
      return typeof value === 'string' && isPrintable(value) ? { kind: 'literal', type: 'String', value } : undefined
    case 'Edm.Boolean':
      return typeof value === 'boolean' ? { kind: 'literal', type: 'Boolean', value } : undefined
    case 'Edm.Guid':
      return typeof value === 'string' ? guidLiteral(value, session) : undefined
    case 'Edm.Date':
    case 'Edm.TimeOfDay':
      return typeof value === 'string'
        ? { kind: 'literal', type: type === 'Edm.Date' ? 'Date' : 'TimeOfDay', value }
        : undefined
    case 'Edm.Duration':
      return typeof value === 'string' ? { kind: 'literal', type: 'Duration', value: value.toUpperCase() } : undefined
    case 'Edm.DateTimeOffset': {
      const instant = typeof value === 'string' ? instantOf(value) : undefined
      if (instant === undefined) return undefined
      return { kind: 'literal', type: 'DateTimeOffset', value: instantText(instant.ticks) }
    }
    default:
      if (!type.startsWith('Edm.'))
        return typeof value === 'string' ? { kind: 'literal', type: 'String', value } : undefined
      return numericLiteral(type, value)
  }
}

/** Control characters are refused by many servers before a service sees them. */
function isPrintable(text: string): boolean {
  return !/[\0-\x1F\x7F]/.test(text) && !/\p{Surrogate}/u.test(text) && text.length <= 200
}

function guidLiteral(value: string, { choices }: Pick<Session, 'choices'>): Literal | undefined {
  const way = choices.get('guidLiteral')
  if (way === 'quoted') return { kind: 'literal', type: 'String', value }
  return /^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/.test(value)
    ? { kind: 'literal', type: 'Guid', value: value.toLowerCase() }
    : undefined
}

function numericLiteral(type: string, value: unknown): Literal | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined
  const written = String(value)
  const isInteger = /^-?\d{1,19}$/.test(written)
  if (isInteger) return { kind: 'literal', type: 'Integer', value: written }
  if (type === 'Edm.Decimal' || type === 'Edm.Double' || type === 'Edm.Single') {
    return /^-?\d{1,30}\.\d{1,30}$/.test(written) ? { kind: 'literal', type: 'Decimal', value: written } : undefined
  }
  return undefined
}
