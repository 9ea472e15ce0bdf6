import { type Frame, report } from './frame.js'
import { describeType, type SingleType, type StaticType, untyped } from './static-type.js'
import { didYouMean } from './suggestion.js'
import { isAssignable, qualifiedType } from './type-names.js'

/**
 * A type in a path, `/ns.manager`: the value, or each item of the collection, as of that type. It must be derived from
 * the declared type, or be a base of it.
 *
 * @see OData URL Conventions 4.01, 4.11
 */
export function bindCast(name: string, type: StaticType, frame: Frame): StaticType {
  const target = qualifiedType(name, frame)
  if (target === undefined) {
    const hint = didYouMean(name.slice(name.lastIndexOf('.') + 1), Object.keys(frame.types))
    report(frame, 'unknownType', `Could not find a type named '${name}'.${hint}`)
    return untyped
  }
  const from = type.kind === 'collection' ? type.of : type
  if (!isRelated(from, target, frame)) {
    const found = describeType(from)
    report(
      frame,
      'invalidCast',
      `A value of type ${found} is never a '${name}': the types are not derived from each other.`,
    )
    return untyped
  }
  return type.kind === 'collection' ? { kind: 'collection', of: target } : target
}

/** Whether a value of one structured type can be of the other. */
export function isRelated(from: SingleType, to: SingleType, frame: Frame): boolean {
  if (from.kind === 'untyped') return true
  if ((from.kind !== 'entity' && from.kind !== 'complex') || from.kind !== to.kind) return false
  return isAssignable(to.name, from.name, frame.types) || isAssignable(from.name, to.name, frame.types)
}
