import type { OpenChoice, Service } from '../../../spec/language/index.js'
import type { Variant } from './variant.js'

/** Choices that are made by other means than a setting. */
const elsewhere: ReadonlySet<string> = new Set([
  'shortPages',
  'advancedConstructs',
  'optionSupport',
  'optionCombinations',
  'queryLimits',
  'absentProperty',
  'timestampPrecision',
  'guidLiteral',
  'tieOrder',
  'defaultOrder',
  'readYourWrites',
  'unsupportedQueryStatus',
  'advancedQueryStatus',
])

/** For each choice that a spec leaves open and each legal value, a service that has chosen it. */
export function chosenOtherwise(service: Service): readonly Variant[] {
  return service.open
    .filter(({ name }) => !elsewhere.has(name))
    .flatMap(choice =>
      choice.legal.filter(value => String(value) !== String(choice.reference)).map(value => chosen(choice, value)),
    )
}

function chosen({ name, description }: OpenChoice, value: string | number): Variant {
  return {
    name: `${name}-${value}`,
    group: name,
    choices: [name],
    statement: `${description ?? name} Here: ${value}.`,
    behave: ({ choices }) => ({ choices: { ...choices, [name]: value } }),
  }
}
