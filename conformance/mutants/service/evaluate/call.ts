import type { Expression } from '../../../../runtime/query/index.js'
import { foldingOf } from '../value/compare-values.js'
import { fold } from '../value/text.js'
import type { Value } from '../value/value.js'
import { dateFunctions } from './date-functions.js'
import type { Environment } from './environment.js'
import { rareFunction } from './rare-functions.js'
import { textFunctions } from './text-functions.js'

/** What a function comes to. @see OData URL Conventions 4.01, 5.1.1.5 to 5.1.1.11 */
export function call(name: string, values: readonly Value[], nodes: readonly Expression[], env: Environment): Value {
  const { choices } = env.at.behaviour
  if (name === 'now') return { kind: 'instant', nanos: BigInt(Date.now()) * 1_000_000n }
  const rare = rareFunction(name, values, nodes, env)
  if (rare !== undefined) return rare
  if (values.some(value => value === null)) {
    return isTest(name) && choices['nullFunction'] === 'twoValued' ? false : null
  }
  const [first = null, second = null, third = null] = values
  if (isTest(name) && typeof first === 'string' && typeof second === 'string') {
    const { trailingSpaces: _, ...folding } = foldingOf(choices, choices['functionComparison'] === 'caseInsensitive')
    const text = fold(first, { ...folding, trailingSpaces: false })
    const part = fold(second, { ...folding, trailingSpaces: false })
    return tests[name](text, part)
  }
  if (name === 'matchespattern' && typeof first === 'string' && typeof second === 'string') {
    const { trailingSpaces: _, ...folding } = foldingOf(choices, choices['functionComparison'] === 'caseInsensitive')
    const [text, pattern] = [first, second].map(each => fold(each, { ...folding, trailingSpaces: false }))
    return new RegExp(pattern ?? '', 'u').test(text ?? '')
  }
  if (typeof first === 'number') return rounded(name, first)
  if (typeof first === 'string') return textFunctions[name]?.(first, second, third) ?? null
  if (typeof first === 'object' && first?.kind === 'collection' && name === 'length') return first.items.length
  return dateFunctions[name]?.(first) ?? null
}

const tests = {
  contains: (text: string, part: string) => text.includes(part),
  startswith: (text: string, part: string) => text.startsWith(part),
  endswith: (text: string, part: string) => text.endsWith(part),
} as const

function isTest(name: string): name is keyof typeof tests {
  return Object.hasOwn(tests, name)
}

function rounded(name: string, number: number): Value {
  if (name === 'floor') return Math.floor(number)
  if (name === 'ceiling') return Math.ceil(number)
  return name === 'round' ? Math.sign(number) * Math.round(Math.abs(number)) : null
}
