import type { Annotations } from '../../spec/language/model/index.js'
import { sectionNote } from './section-note.js'

/**
 * What a comment says of an element: what its description and the notes say, and its section of the interface. None when
 * there is nothing to say.
 */
export function annotatedDocs({ description, ref }: Annotations, notes: readonly string[] = []): readonly string[] {
  const sentences = [description, ...notes, ref === undefined ? undefined : sectionNote(ref)]
  const text = sentences.filter(sentence => sentence !== undefined).join(' ')
  return text === '' ? [] : [text]
}
