import type { Facets } from '../../../spec/language/index.js'
import type { Random } from './random.js'

const ranges: Readonly<Record<string, readonly [least: number, most: number]>> = {
  SByte: [-20, 40],
  Byte: [0, 100],
  Int16: [0, 5_000],
  Int32: [0, 100_000],
  Int64: [0, 10_000_000],
  Decimal: [0, 1_000],
  Single: [0, 100],
  Double: [0, 1_000],
}

/** Whether values of a primitive type are numbers. */
export function isNumeric(type: string): boolean {
  return Object.hasOwn(ranges, type)
}

/** A number that its facets allow. */
export function seedNumber(type: string, facets: Facets, random: Random): number {
  const [low, high] = ranges[type] ?? [0, 100]
  const scale = scaleOf(type, facets)
  const digits = facets.precision === undefined ? high : 10 ** (facets.precision - scale) - 1
  const least = facets.minimum ?? Math.min(low, facets.maximum ?? low)
  const most = Math.max(least, Math.min(facets.maximum ?? Math.max(high, least), digits))
  const steps = Math.floor((most - least) * 10 ** scale) + 1
  return Number((least + random.below(steps) / 10 ** scale).toFixed(scale))
}

function scaleOf(type: string, { scale }: Facets): number {
  if (type === 'Decimal') return typeof scale === 'number' ? scale : scale === undefined ? 0 : 2
  return type === 'Single' || type === 'Double' ? 2 : 0
}
