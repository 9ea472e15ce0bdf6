import type { Annotation, AnnotationValue } from './csdl-document.js'

/** A record of the members that have a value, in their order. */
export function recordOf(
  members: readonly (readonly [name: string, value: AnnotationValue | undefined])[],
): AnnotationValue {
  return {
    kind: 'Record',
    members: members.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  }
}

export function collectionOf(items: readonly AnnotationValue[]): AnnotationValue {
  return { kind: 'Collection', items }
}

/** A collection that is left out when it is empty. */
export function someOf(items: readonly AnnotationValue[]): AnnotationValue | undefined {
  return items.length === 0 ? undefined : collectionOf(items)
}

/** The annotations that have a value, in their order. */
export function annotationsOf(
  members: readonly (readonly [term: string, value: AnnotationValue | undefined])[],
): readonly Annotation[] {
  return members.flatMap(([term, value]) => (value === undefined ? [] : [{ term, value }]))
}

/** A tag that is left out when it does not hold. */
export function tag(holds: boolean): true | undefined {
  return holds ? true : undefined
}
