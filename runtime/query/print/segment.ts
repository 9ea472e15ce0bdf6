import type { KeyValue, NamedExpression, PathSegment } from '../ast.js'
import { isQualifiedName } from '../lexical/identifier.js'
import { countOptions } from '../parse/nested-option-names.js'
import { PrintError } from '../print-error.js'
import { printExpression } from './expression.js'
import { printIdentifier, printQualifiedName } from './names.js'
import { printNestedOptions } from './nested-options.js'
import { type Place, within } from './place.js'

/** One segment without its `/`; a key has none. */
export function printSegment(segment: PathSegment, place: Place): string {
  switch (segment.kind) {
    case 'property':
      return printIdentifier(segment.name)
    case 'cast':
      if (isQualifiedName(segment.type)) return segment.type
      throw new PrintError(`The type ${JSON.stringify(segment.type)} needs a namespace.`)
    case 'key':
      return `(${printKey(segment.values, within(place))})`
    case 'function':
      return `${printQualifiedName(segment.name)}(${printParameters(segment.parameters, within(place))})`
    case 'filter':
      return `$filter(${printExpression(segment.predicate, within(place))})`
    case 'count':
      return `$count${printCountOptions(segment, place)}`
    case 'annotation': {
      const qualifier = segment.qualifier === undefined ? '' : `#${printIdentifier(segment.qualifier)}`
      return `@${printQualifiedName(segment.term)}${qualifier}`
    }
  }
}

function printKey(values: readonly KeyValue[], place: Place): string {
  const [only] = values
  if (only !== undefined && only.name === undefined && values.length === 1) return printExpression(only.value, place)
  if (only === undefined || values.some(({ name }) => name === undefined)) {
    throw new PrintError('A key is one value, or values by name.')
  }
  return values.map(({ name, value }) => `${printIdentifier(name ?? '')}=${printExpression(value, place)}`).join(',')
}

function printParameters(parameters: readonly NamedExpression[], place: Place): string {
  return parameters.map(({ name, value }) => `${printIdentifier(name)}=${printExpression(value, place)}`).join(',')
}

function printCountOptions({ filter, search }: Extract<PathSegment, { readonly kind: 'count' }>, place: Place): string {
  if (filter === undefined && search === undefined) return ''
  const options = { ...(filter === undefined ? {} : { filter }), ...(search === undefined ? {} : { search }) }
  return printNestedOptions(options, countOptions, place)
}
