import type { Annotations } from '../../../spec/language/model/index.js'
import { annotatedDocs } from '../annotated-docs.js'

/** What a schema, parameter or operation says of itself: description, notes, section of the interface. */
export function description(annotations: Annotations, notes: readonly string[] = []): string | undefined {
  return annotatedDocs(annotations, notes)[0]
}
