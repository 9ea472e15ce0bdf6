import type { PropertyInfo } from '../../query/schema.js'

/** The facets that limit one value. */
export type ValueFacets = Pick<
  PropertyInfo,
  'minLength' | 'maxLength' | 'minimum' | 'maximum' | 'precision' | 'scale' | 'pattern'
>

/** Which facet a value of the right type breaks, as the end of a sentence: `must have at most 5 characters`. */
export function facetProblem(facets: ValueFacets, type: string, value: unknown): string | undefined {
  if (typeof value === 'number') return numberProblem(facets, value)
  return typeof value === 'string' ? textProblem(facets, type, value) : undefined
}

function numberProblem(facets: ValueFacets, value: number): string | undefined {
  const { minimum, maximum } = facets
  if (minimum !== undefined && value < minimum) return `must be at least ${minimum}`
  if (maximum !== undefined && value > maximum) return `must be at most ${maximum}`
  return decimalProblem(facets, value)
}

function decimalProblem({ precision, scale }: ValueFacets, value: number): string | undefined {
  if (precision === undefined && scale === undefined) return undefined
  const [digits = '', exponent = '0'] = Math.abs(value).toExponential().split('e')
  const fraction = Math.max(0, digits.replace('.', '').length - 1 - Number(exponent))
  const whole = Math.max(1, Number(exponent) + 1)
  if (typeof scale === 'number' && fraction > scale) return `must have at most ${scale} digits after the point`
  if (precision !== undefined && whole + fraction > precision) return `must have at most ${precision} digits`
  return undefined
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

function textProblem(facets: ValueFacets, type: string, value: string): string | undefined {
  const { minLength, maxLength, pattern, precision } = facets
  if (type === 'Edm.String' || type === 'Edm.Binary') {
    const unit = type === 'Edm.String' ? 'character' : 'byte'
    const length = type === 'Edm.String' ? characters(value) : Math.floor((value.length * 3) / 4)
    if (minLength !== undefined && length < minLength) return `must have at least ${counted(minLength, unit)}`
    if (maxLength !== undefined && length > maxLength) return `must have at most ${counted(maxLength, unit)}`
  }
  if (pattern !== undefined && !compiled(pattern).test(value)) return `must match ${pattern}`
  if (precision !== undefined && fractionalDigits(value) > precision) {
    return `must have at most ${precision} digits of fractional seconds`
  }
  return undefined
}

/** A character outside the first plane counts once. */
function characters(text: string): number {
  let count = text.length
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code >= 0xd800 && code < 0xdc00) count--
  }
  return count
}

function fractionalDigits(text: string): number {
  return /\.(\d*)/.exec(text)?.[1]?.length ?? 0
}

const patterns = new Map<string, RegExp>()

/** Patterns come from the spec, so there are no more of them than it has properties. */
function compiled(pattern: string): RegExp {
  const known = patterns.get(pattern)
  if (known !== undefined) return known
  const expression = new RegExp(pattern, 'u')
  patterns.set(pattern, expression)
  return expression
}
