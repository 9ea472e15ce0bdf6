import type { AnnotationIndex } from '../annotations/annotation-index.js'
import type { Catalogue } from '../csdl/catalogue.js'
import type { Spot } from '../csdl/csdl-element.js'
import type { Note } from '../finding.js'
import type { ImportNames } from '../names/import-names.js'

/** What every part of the import needs. */
export interface ImportContext {
  readonly catalogue: Catalogue
  readonly names: ImportNames
  readonly annotations: AnnotationIndex
  readonly note: Note
  /** The document was exported from a spec: what it does not say, the spec does not say either. */
  readonly isExport: boolean
  /** Where in the document each part of the spec comes from, by JSON Pointer. */
  readonly origins: Map<string, Spot>
}
