import type { BinaryExpression, Expression } from '../../../../runtime/query/index.js'
import type { StructuredType } from '../../../../spec/language/index.js'
import type { Value } from '../value/value.js'
import type { Environment } from './environment.js'

const ranges: Readonly<Record<string, readonly [least: number, most: number]>> = {
  'Edm.SByte': [-128, 127],
  'Edm.Byte': [0, 255],
  'Edm.Int16': [-32_768, 32_767],
  'Edm.Int32': [-2_147_483_648, 2_147_483_647],
  'Edm.Int64': [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
}

const nanosOfYear = (year: number): bigint => BigInt(Date.UTC(year, 0)) * 1_000_000n

/** Functions that few services have; undefined for all others. @see OData URL Conventions 4.01, 5.1.1.6 to 5.1.1.12 */
export function rareFunction(
  name: string,
  values: readonly Value[],
  nodes: readonly Expression[],
  env: Environment,
): Value | undefined {
  switch (name) {
    case 'mindatetime':
      return { kind: 'instant', nanos: nanosOfYear(1) }
    case 'maxdatetime':
      return { kind: 'instant', nanos: nanosOfYear(9999) }
    case 'case':
      return values.find((_, index) => index % 2 === 1 && values[index - 1] === true) ?? null
    case 'cast':
    case 'isof': {
      const type = nodes.at(-1)
      if (type?.kind !== 'type') return null
      const [value = null] = nodes.length < 2 ? [env.it] : values
      if (value === null) return null
      const found = castTo(value, type.name)
      return name === 'cast' ? found : found !== null
    }
    case 'hassubset':
      return onCollections(values, (whole, part) => {
        const left = [...whole]
        return part.every(wanted => {
          const index = left.findIndex(item => isEqual(item, wanted, nodes, env))
          if (index >= 0) left.splice(index, 1)
          return index >= 0
        })
      })
    case 'hassubsequence':
      return onCollections(values, (whole, part) => {
        let next = 0
        for (const item of whole) {
          const wanted = part[next]
          if (wanted !== undefined && isEqual(item, wanted, nodes, env)) next += 1
        }
        return next === part.length
      })
    case 'totaloffsetminutes':
      return typeof values[0] === 'object' && values[0]?.kind === 'instant' ? 0 : null
    default:
      return undefined
  }
}

function onCollections(
  [whole = null, part = null]: readonly Value[],
  test: (whole: readonly Value[], part: readonly Value[]) => boolean,
): Value {
  if (typeof whole !== 'object' || whole?.kind !== 'collection') return null
  return typeof part === 'object' && part?.kind === 'collection' ? test(whole.items, part.items) : null
}

function isEqual(left: Value, right: Value, [first, second]: readonly Expression[], env: Environment): boolean {
  if (first === undefined || second === undefined) return false
  const node: BinaryExpression = { kind: 'binary', operator: 'eq', left: first, right: second }
  return env.at.behaviour.compare(node, left, right, env) === true
}

function castTo(value: Exclude<Value, null>, type: string): Value {
  if (type === 'Edm.String') return textOf(value)
  const range = Object.hasOwn(ranges, type) ? ranges[type] : undefined
  if (range !== undefined) {
    const number = typeof value === 'string' && /^[+-]?\d+$/.test(value) ? Number(value) : value
    if (typeof number !== 'number' || !Number.isFinite(number)) return null
    const whole = Math.sign(number) * Math.round(Math.abs(number))
    return whole >= range[0] && whole <= range[1] ? whole : null
  }
  if (typeof value === 'boolean') return type === 'Edm.Boolean' ? value : null
  if (typeof value !== 'object') return null
  if (value.kind === 'object') return isNamed(value.type, type) ? value : null
  return (value.kind === 'date' && type === 'Edm.Date') || (value.kind === 'guid' && type === 'Edm.Guid') ? value : null
}

function textOf(value: Exclude<Value, null>): Value {
  if (typeof value !== 'object') return String(value)
  return 'text' in value ? value.text : null
}

function isNamed(type: StructuredType, name: string): boolean {
  for (let each: StructuredType | undefined = type; each !== undefined; each = each.base) {
    if (each.qualifiedName === name) return true
  }
  return false
}
