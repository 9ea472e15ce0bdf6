import {
  type Diagnostic,
  lineIndex,
  maxFileBytes,
  record,
  type SourceLocation,
  type SpecDocument,
} from '../../spec/language/index.js'
import { annotationIndex, noteUnreadAnnotations } from './csdl/annotations.js'
import { buildCatalogue } from './csdl/catalogue.js'
import { type CsdlElement, type CsdlLocation, isUsableNamespace } from './csdl/csdl-element.js'
import { jsonPositions } from './csdl/json-text.js'
import { readJson } from './csdl/read-json.js'
import { checkEdmx, readXml } from './csdl/read-xml.js'
import type { KeyStyle } from './derived/derivation.js'
import { derivedDocument, type ImportOptions } from './derived/document.js'
import { exportedService } from './exported/chapters.js'
import { exportedDocument } from './exported/document.js'
import { diagnosticsOf, type Finding, importError, omission, type ReportFinding } from './finding.js'
import { chosenNames, type ImportContext, importNames } from './names.js'
import { importOperations } from './operations.js'
import { printSpec } from './print-spec.js'
import { removeInvalidParts } from './remove-invalid.js'
import { importResources } from './types/resources.js'

/** A spec made from metadata. */
export interface ImportedSpec {
  readonly text: string
  readonly document: SpecDocument
  /** How its paths write keys of one part; absent for an export, or without such keys. */
  readonly keyStyle?: KeyStyle
}

/** A spec made from metadata, and what it cannot express. */
interface Imported {
  /** The spec, and its text in YAML; absent if the document cannot be imported. */
  readonly spec?: ImportedSpec
  /** An error means that the document was not imported. A warning names what the spec leaves out. */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Turns the metadata of an OData 4 service, CSDL in XML or JSON, into a spec. Nothing is fetched.
 *
 * @param text the document
 * @param path its name in diagnostics
 * @see OData CSDL 4.01
 */
export function importCsdl(text: string, path: string, options: ImportOptions = {}): Imported {
  const content = text.startsWith('\uFEFF') ? text.slice(1) : text
  const findings: Finding[] = []
  const report = (finding: Finding): void => void findings.push(finding)
  options.progress?.('reading')
  const { root, sourcePlaceOf: locate } = readMetadata(content, report)
  const made = importSpec(root, options, report)
  if ('severity' in made) return { diagnostics: diagnosticsOf([made, ...findings], path, locate) }
  options.progress?.('printing')
  const printed = printSpec(made.document)
  if (printed.length > maxFileBytes) {
    const message = `The spec would be longer than ${maxFileBytes / 1024 / 1024} MB, the most that a spec may be. Choose a smaller --depth.`
    return { diagnostics: diagnosticsOf([importError('too-large', message, '')], path, locate) }
  }
  return { spec: { text: printed, ...made }, diagnostics: diagnosticsOf(findings, path, locate) }
}

const noPathsMessage =
  'The import leaves no path: the container has no element that a spec can hold. The reasons follow, if it has any element. If elements are missing, they may be in other documents: merge those into this one.'

function importSpec(
  root: ReturnType<typeof readMetadata>['root'],
  options: ImportOptions,
  report: (finding: Finding) => void,
): Omit<ImportedSpec, 'text'> | Finding {
  if ('severity' in root) return root
  options.progress?.('converting')
  const imported = importDocument(root, options, report)
  if ('severity' in imported) return imported
  options.progress?.('checking')
  const { origins, document: made, needsPaths, ...rest } = imported
  const document = removeInvalidParts(made, origins, report)
  if ('severity' in document) return document
  if (Object.keys(document.paths).length > 0 || !needsPaths) return { ...rest, document }
  return importError('no-paths', noPathsMessage, origins.get('/container') ?? 0)
}

/** A spec before it is checked, and the sources of its parts. */
interface ImportedDocument {
  readonly document: object
  /** How its paths write keys of one part; absent for an export, or without such keys. */
  readonly keyStyle?: KeyStyle
  /** A spec without a path would describe nothing. */
  readonly needsPaths: boolean
  readonly origins: ReadonlyMap<string, CsdlLocation>
}

/** The spec of a service, from the elements of its metadata. */
export function importDocument(
  root: CsdlElement,
  options: ImportOptions,
  report: ReportFinding,
): ImportedDocument | Finding {
  const catalogue = buildCatalogue(root, report)
  if ('severity' in catalogue) return catalogue
  const { namespace, container } = catalogue
  if (!isUsableNamespace(namespace)) {
    const message = `"${namespace}" is not a valid namespace of a spec. Use names joined by dots, and no namespace that OData reserves.`
    return importError('namespace', message, root.location)
  }
  const annotations = annotationIndex(catalogue)
  const lookup = annotations.of(container.element, container.qualifiedName)
  const service = exportedService(lookup, namespace)
  // Our own terms in an export refer to the names that it has.
  const chosen = chosenNames(service === undefined ? options.rename : {})
  const context: ImportContext = {
    catalogue,
    names: importNames(catalogue, annotations, service !== undefined, chosen, report),
    annotations,
    chosen,
    report,
    isExport: service !== undefined,
    origins: new Map([
      ['', root.location],
      ['/container', container.element.location],
    ]),
  }
  const resources = importResources(context)
  const operations = importOperations(context, resources)
  const made =
    service === undefined
      ? derivedDocument(context, resources, operations, lookup, options)
      : { document: exportedDocument(context, resources, operationDocuments(operations), lookup, service) }
  noteUnreadAnnotations(annotations, context.isExport, report)
  for (const name of service === undefined ? chosen.unused() : Object.keys(options.rename ?? {})) {
    const message =
      service === undefined
        ? 'There is nothing to rename: no type, operation, entity set, singleton or import has this name'
        : 'An exported spec keeps its names; rename in the spec itself'
    report(omission('rename', message, name, container.element.location))
  }
  // An export is restored as it was, with any content.
  const needsPaths = service === undefined
  return { ...made, needsPaths, origins: context.origins }
}

function operationDocuments(operations: ReturnType<typeof importOperations>) {
  return record([...operations].map(([name, { document }]) => [name, document] as const))
}

/** Metadata as elements, and their places. */
export interface ReadMetadata {
  /** The root element, or why the metadata cannot be read. */
  readonly root: CsdlElement | Finding
  readonly sourcePlaceOf: (location: CsdlLocation) => SourceLocation
}

/** Reads metadata, in XML or JSON depending on its first character. */
export function readMetadata(text: string, report: ReportFinding): ReadMetadata {
  const first = /\S/.exec(text)?.[0]
  const find = lineIndex(text)
  const textPlace = (offset: number): SourceLocation => {
    const length = /^<?[^\s<>/]*/.exec(text.slice(offset, offset + 80))?.[0].length ?? 0
    return find(offset, offset + length)
  }
  if (first === '{') {
    const places = jsonPositions(text)
    return {
      root: readJson(text),
      sourcePlaceOf: location => (typeof location === 'number' ? textPlace(location) : textPlace(places(location))),
    }
  }
  const locate = (location: CsdlLocation): SourceLocation => textPlace(typeof location === 'number' ? location : 0)
  if (first !== '<') {
    const found = isJson(text) ? 'This is JSON but not an object, so it is not CSDL' : 'This is neither XML nor JSON'
    const message = `${found}. Import the response of an OData 4 service to $metadata.`
    return { root: importError('not-metadata', message, 0), sourcePlaceOf: locate }
  }
  const root = readXml(text)
  return { root: 'severity' in root ? root : checkEdmx(root, report), sourcePlaceOf: locate }
}

function isJson(text: string): boolean {
  // A text that does not begin like JSON need not be read to its end.
  if (!/^\s*(?:[["\d-]|true|false|null)/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
