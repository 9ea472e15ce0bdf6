import type { PathSegment } from '../ast.js'
import type { TypeTable } from '../schema.js'
import { memberOf } from './json-object.js'
import { jsonValue } from './json-value.js'
import type { Step } from './path.js'
import type { Value } from './value.js'

/**
 * The value of an annotation as JSON carries it: `@ns.term` in the annotated item, `price@ns.term` beside the annotated
 * property; null when it is not there.
 *
 * @see OData 4.01 JSON Format, 20
 */
export function annotationValue(
  { value, owner, name }: Step,
  { term, qualifier }: Extract<PathSegment, { readonly kind: 'annotation' }>,
  types: TypeTable | undefined,
): Value {
  const annotation = `@${term}${qualifier === undefined ? '' : `#${qualifier}`}`
  const beside = owner === undefined || name === undefined ? undefined : memberOf(owner.json, `${name}${annotation}`)
  if (beside !== undefined) return jsonValue(beside, undefined, types)
  const isItem = value !== null && typeof value !== 'boolean' && value.kind === 'structured'
  return isItem ? jsonValue(memberOf(value.json, annotation), undefined, types) : null
}
