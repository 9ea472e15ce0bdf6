import type { Annotations } from '../../../spec/language/model/index.js'
import { annotationsOf } from './annotation-value.js'
import type { Annotation, AnnotationValue } from './csdl-document.js'

/** What any element says of itself. Assumptions stand together, in `Specwright.Assumptions`. */
export function saidOf({ description, ref }: Annotations): readonly Annotation[] {
  return annotationsOf([
    ['Core.Description', description],
    ['Specwright.Ref', ref],
  ])
}

/** What a type or operation says of itself, and what the spec calls it. */
export function namedOf(
  element: Annotations & { readonly name: string; readonly qualifiedName: string },
): readonly Annotation[] {
  const isNamedSo = element.qualifiedName.endsWith(`.${element.name}`)
  return [...saidOf(element), ...annotationsOf([['Specwright.Name', isNamedSo ? undefined : element.name]])]
}

/** The same as members of a record. */
export function saidMembers({
  description,
  ref,
}: Annotations): readonly (readonly [string, AnnotationValue | undefined])[] {
  return [
    ['Description', description],
    ['Ref', ref],
  ]
}
