import { canonicalFunctions } from '../../../spec/language/index.js'

/** Canonical functions that are members of the client's filter builder. */
export const builderFunctions = ['startsWith', 'endsWith', 'contains', 'tolower']

/** A canonical function that the filter builder can call by name. */
interface CallableFunction {
  readonly name: string
  /** The TypeScript types of the operand and of the result. */
  readonly operand: string
  readonly returns: string
  /** The further parameters: `start: number, length?: number`. */
  readonly more: string
}

/** Types whose literals need no format: dates are text in the client. */
const typeScriptTypes: Readonly<Record<string, string>> = {
  'Edm.String': 'string',
  'Edm.DateTimeOffset': 'string',
  'Edm.Date': 'string',
  'Edm.TimeOfDay': 'string',
  'Edm.Duration': 'string',
  integer: 'number',
  number: 'number',
}
const resultTypes: Readonly<Record<string, string>> = {
  'Edm.String': 'string',
  'Edm.Boolean': 'boolean',
  'Edm.Int32': 'number',
  'Edm.Decimal': 'number',
}

/** The functions whose arguments and result are numbers, strings or Booleans, except those of the builder. */
export const callableFunctions: readonly CallableFunction[] = [...canonicalFunctions].flatMap(
  ([name, { signatures }]) => {
    if (builderFunctions.some(member => member.toLowerCase() === name)) return []
    const scalar = signatures.filter(({ parameters }) => parameters.every(type => Object.hasOwn(typeScriptTypes, type)))
    const shortest = scalar[0]
    const longest = scalar.at(-1)
    const operand = typeScriptTypes[shortest?.parameters[0] ?? '']
    if (shortest === undefined || longest === undefined || operand === undefined) return []
    const returns = shortest.returns === 'same' ? operand : resultTypes[shortest.returns]
    if (returns === undefined) return []
    const more = longest.parameters.slice(1).map((type, index) => {
      const optional = index + 1 >= shortest.parameters.length ? '?' : ''
      return `${longest.parameterNames[index + 1]}${optional}: ${typeScriptTypes[type]}`
    })
    return [{ name, operand, returns, more: more.join(', ') }]
  },
)

/** The text of `runtime/client/canonical-functions.ts`. */
export function canonicalFunctionsModule(): string {
  const members = callableFunctions.map(
    ({ name, operand, more, returns }) => `  readonly ${name}: Callable<${operand}, [${more}], ${returns}>\n`,
  )
  return `// Generated from runtime/query/functions.ts by \`npm run docs\`. Do not edit.

interface Callable<Of, With extends readonly unknown[], Returns> {
  readonly of: Of
  readonly with: With
  readonly returns: Returns
}

/**
 * The functions that a filter can call by name: the operand type, the further arguments and the result type. Dates,
 * times and durations are strings. ${builderFunctions
   .map(name => `\`${name}\``)
   .join(', ')
   .replace(/, ([^,]*)$/, ' and $1')} are members of the builder.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.5 to 5.1.1.9
 */
export interface CanonicalFunctions {
${members.join('')}}
`
}
