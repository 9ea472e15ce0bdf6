import { record } from '../../spec/language/resolve/record.js'
import { annotationIndex } from './annotations/annotation-index.js'
import { noteUnreadAnnotations } from './annotations/unread.js'
import { catalogueOf } from './csdl/catalogue.js'
import type { CsdlElement, Spot } from './csdl/csdl-element.js'
import { isUsableNamespace } from './csdl/reserved-namespace.js'
import { derivedDocument } from './derived-document.js'
import { type Finding, fault, type Note } from './finding.js'
import type { ImportOptions } from './import-options.js'
import { importNames } from './names/import-names.js'
import { importOperations } from './operations/import-operations.js'
import { ownDocument } from './own/own-document.js'
import { ownService } from './own/service-chapters.js'
import type { KeyStyle } from './paths/derivation.js'
import type { ImportContext } from './types/import-context.js'
import { importResources } from './types/import-resources.js'

/** A spec before it is checked, and where its parts come from. */
export interface ImportedDocument {
  readonly document: object
  /** How its paths write keys of one part, where they were derived and there are any. */
  readonly keyStyle?: KeyStyle
  /** It would be a spec of nothing without a path. */
  readonly needsPaths: boolean
  readonly origins: ReadonlyMap<string, Spot>
}

/** The spec of a service, from the elements of its metadata. */
export function documentOf(root: CsdlElement, options: ImportOptions, note: Note): ImportedDocument | Finding {
  const catalogue = catalogueOf(root, note)
  if ('severity' in catalogue) return catalogue
  const { namespace, container } = catalogue
  if (!isUsableNamespace(namespace)) {
    const message = `"${namespace}" can be no namespace of a spec: names joined by dots, none of those that OData keeps.`
    return fault('namespace', message, root.spot)
  }
  const annotations = annotationIndex(catalogue)
  const said = annotations.of(container.element, container.qualifiedName)
  const service = ownService(said, namespace)
  const context: ImportContext = {
    catalogue,
    names: importNames(catalogue, annotations, service !== undefined, note),
    annotations,
    note,
    isExport: service !== undefined,
    origins: new Map([
      ['', root.spot],
      ['/container', container.element.spot],
    ]),
  }
  const resources = importResources(context)
  const operations = importOperations(context, resources)
  const made =
    service === undefined
      ? derivedDocument(context, resources, operations, said, options)
      : { document: ownDocument(context, resources, operationDocuments(operations), said, service) }
  noteUnreadAnnotations(annotations, context.isExport, note)
  // An export comes back as it was, whatever it has.
  const needsPaths = service === undefined && container.children.some(({ name }) => name !== 'Annotation')
  return { ...made, needsPaths, origins: context.origins }
}

function operationDocuments(operations: ReturnType<typeof importOperations>) {
  return record([...operations].map(([name, { document }]) => [name, document] as const))
}
