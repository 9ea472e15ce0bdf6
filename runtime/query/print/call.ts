import type { Expression, FunctionCall, TypeExpression } from '../ast.js'
import { isQualifiedName } from '../lexical/identifier.js'
import { canonicalFunctions } from '../parse/canonical-functions.js'
import { PrintError } from '../print-error.js'
import { printExpression } from './expression.js'
import { printQualifiedName } from './names.js'
import { type Place, within } from './place.js'

/** `name(argument,argument)` */
export function printCall(call: FunctionCall, place: Place): string {
  return `${call.function}(${printArguments(call, within(place))})`
}

function printArguments({ function: name, arguments: values }: FunctionCall, place: Place): string {
  if (name === 'case') return printCase(values, place)
  if (name === 'cast' || name === 'isof') return printTypeArguments(name, values, place)
  const arity = canonicalFunctions.get(name)
  const fits = arity === undefined ? values.length > 0 : values.length >= arity.least && values.length <= arity.most
  if (arity === undefined && (!isQualifiedName(name) || canonicalFunctions.has(name.toLowerCase()))) {
    throw new PrintError(`${JSON.stringify(name)} is neither a canonical function in lower case nor a qualified name.`)
  }
  if (!fits) throw new PrintError(`\`${name}\` does not take ${values.length} arguments.`)
  return values.map(value => printExpression(value, place)).join(',')
}

/** The spaces keep `10 : 15` from being the time `10:15`. */
function printCase(values: readonly Expression[], place: Place): string {
  if (values.length < 2 || values.length % 2 !== 0) throw new PrintError('`case` takes pairs of condition and result.')
  const texts = values.map(value => printExpression(value, place))
  return texts
    .map((text, index) => (index % 2 === 0 ? `${text} : ` : index < texts.length - 1 ? `${text},` : text))
    .join('')
}

function printTypeArguments(name: string, values: readonly Expression[], place: Place): string {
  const [first, second] = values
  if (values.length === 1 && first?.kind === 'type') return printType(first)
  if (values.length === 2 && first !== undefined && second?.kind === 'type') {
    return `${printExpression(first, place)},${printType(second)}`
  }
  throw new PrintError(`\`${name}\` takes a type, perhaps with an expression before it.`)
}

function printType({ name, collection }: TypeExpression): string {
  return collection ? `Collection(${printQualifiedName(name)})` : printQualifiedName(name)
}
