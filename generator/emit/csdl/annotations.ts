import type { Annotations } from '../../../spec/language/index.js'
import type { Annotation, AnnotationValue } from './csdl-document.js'

/** The annotations of any element. Assumptions are together, in `Specwright.Assumptions`. */
export function descriptionAnnotations({ description, ref }: Annotations): readonly Annotation[] {
  return annotationsOf([
    ['Core.Description', description],
    ['Specwright.Ref', ref],
  ])
}

/** The annotations of a type or operation, with its name in the spec. */
export function namedAnnotations(
  element: Annotations & { readonly name: string; readonly qualifiedName: string },
): readonly Annotation[] {
  const isNamedSo = element.qualifiedName.endsWith(`.${element.name}`)
  return [
    ...descriptionAnnotations(element),
    ...annotationsOf([['Specwright.Name', isNamedSo ? undefined : element.name]]),
  ]
}

/** The same as members of a record. */
export function descriptionMembers({
  description,
  ref,
}: Annotations): readonly (readonly [string, AnnotationValue | undefined])[] {
  return [
    ['Description', description],
    ['Ref', ref],
  ]
}

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

/** A collection, omitted if it is empty. */
export function nonEmptyCollection(items: readonly AnnotationValue[]): AnnotationValue | undefined {
  return items.length === 0 ? undefined : collectionOf(items)
}

/** The annotations that have a value, in their order. */
export function annotationsOf(
  members: readonly (readonly [term: string, value: AnnotationValue | undefined])[],
): readonly Annotation[] {
  return members.flatMap(([term, value]) => (value === undefined ? [] : [{ term, value }]))
}

/** A tag, omitted if it is false. */
export function tagValue(holds: boolean): true | undefined {
  return holds ? true : undefined
}
