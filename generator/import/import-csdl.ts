import type { Diagnostic, SpecDocument } from '../../spec/language/index.js'
import { longestText } from '../../spec/language/source/read-text.js'
import { documentOf } from './document-of.js'
import { type Finding, fault } from './finding.js'
import type { ImportOptions } from './import-options.js'
import type { KeyStyle } from './paths/derivation.js'
import { readMetadata } from './read-metadata.js'
import { reportOf } from './report.js'
import { settle } from './settle.js'
import { printSpec } from './spec/print-spec.js'

/** A spec that was made of metadata. */
export interface ImportedSpec {
  readonly text: string
  readonly document: SpecDocument
  /** How its paths write keys of one part; absent where they come from an export, and where there are none. */
  readonly keyStyle?: KeyStyle
}

/** A spec that was made of metadata, and all that could not be expressed in it. */
export interface Imported {
  /** The spec, and its text in YAML; absent when the document cannot be imported. */
  readonly spec?: ImportedSpec
  /** Errors keep the document from being imported; warnings tell what is left out of the spec. */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Turns the metadata of an OData 4 service, CSDL in XML or JSON, into a spec. Nothing is fetched.
 *
 * @param text the document
 * @param path how diagnostics name it
 * @see OData CSDL 4.01
 */
export function importCsdl(text: string, path: string, options: ImportOptions = {}): Imported {
  const content = text.startsWith('\uFEFF') ? text.slice(1) : text
  const findings: Finding[] = []
  const note = (finding: Finding): void => void findings.push(finding)
  options.progress?.('reading')
  const { root, placeOf } = readMetadata(content, note)
  const made = specOf(root, options, note)
  if ('severity' in made) return { diagnostics: reportOf([made, ...findings], path, placeOf) }
  options.progress?.('printing')
  const printed = printSpec(made.document)
  if (printed.length > longestText) {
    const message = `The spec would be longer than ${longestText / 1024 / 1024} MB, the most that a spec may be. Choose a smaller --depth.`
    return { diagnostics: reportOf([fault('too-large', message, '')], path, placeOf) }
  }
  return { spec: { text: printed, ...made }, diagnostics: reportOf(findings, path, placeOf) }
}

const nothingLeft =
  'No path is left: a spec can hold none of what the container has. Why not is told below; what is missing may be in other documents, which must be put into this one.'

function specOf(
  root: ReturnType<typeof readMetadata>['root'],
  options: ImportOptions,
  note: (finding: Finding) => void,
): Omit<ImportedSpec, 'text'> | Finding {
  if ('severity' in root) return root
  options.progress?.('converting')
  const imported = documentOf(root, options, note)
  if ('severity' in imported) return imported
  options.progress?.('checking')
  const { origins, document: made, needsPaths, ...rest } = imported
  const document = settle(made, origins, note)
  if ('severity' in document) return document
  if (Object.keys(document.paths).length > 0 || !needsPaths) return { ...rest, document }
  return fault('no-paths', nothingLeft, origins.get('/container') ?? 0)
}
