import type { CheckContext } from './checks/check.js'
import { checkService } from './checks/check-service.js'
import { type Diagnostic, limitDiagnostics, type Problem, sortDiagnostics } from './diagnostics/diagnostic.js'
import type { SpecDocument } from './document.js'
import type { Service } from './model/service.js'
import { resolveService } from './resolve/resolve-service.js'
import { checkShape } from './shape/check-shape.js'
import { expandIncludes, readIncludes } from './source/include.js'
import { parseSource, readSource } from './source/parse-source.js'
import { locate, readSiblingFile, type Source, type SourceResult } from './source/source.js'
import { buildTypeTable } from './table/type-table.js'

/** A loaded spec with its diagnostics. */
export interface LoadedSpec {
  /** Present if no diagnostic is an error. */
  readonly service?: Service
  readonly source: Source
  /** In the order of the text; at most a thousand, and one that counts the others. */
  readonly diagnostics: readonly Diagnostic[]
}

interface LoadTextOptions {
  /** The text that clauses quote. Absent: quotes are not checked. */
  readonly interfaceText?: string
  /** The text of an included file; its name is relative to the folder of the spec. Absent: nothing can be included. */
  readonly included?: (name: string) => string | undefined
}

/**
 * Reads and checks a spec, and the interface that `service.interface` names. Errors of the file itself are diagnostics as
 * well. Nothing is thrown.
 *
 * @param path the file
 */
export async function loadSpec(path: string): Promise<LoadedSpec> {
  const shaped = checkedShape(await readIncludes(await readSource(path)))
  const name = shaped.document?.service.interface
  if (name === undefined) return load(shaped, {})
  const text = await readSiblingFile(path, name)
  if (typeof text === 'string') return load(shaped, { interfaceText: text })
  const message = `The interface "${name}" cannot be read, so quotes are not checked. ${text.message}`
  const problem: Problem = { severity: 'warning', code: 'spec/interface-unreadable', message, at: '/service/interface' }
  return load(shaped, { problem })
}

/**
 * Checks the text of a spec without touching the disk.
 *
 * @param path its name in diagnostics
 */
export function loadSpecText(text: string, path: string, options: LoadTextOptions = {}): LoadedSpec {
  const { included = () => undefined } = options
  const missing = { code: 'file/not-found', message: 'There is no such file.' }
  return load(checkedShape(expandIncludes(parseSource(text, path), name => included(name) ?? missing)), options)
}

/** What the checks get besides the spec. */
type LoadContext = LoadTextOptions & { readonly problem?: Problem }

/** A source, and the part of its document that fits the JSON Schema. */
interface ShapedSource extends SourceResult {
  readonly document: SpecDocument | undefined
  readonly omitted: ReadonlySet<string>
  readonly problems: readonly Problem[]
}

function checkedShape(result: SourceResult): ShapedSource {
  const { document } = result.source
  if (document === undefined) return { ...result, document, omitted: new Set(), problems: [] }
  return { ...result, ...checkShape(document) }
}

function load(
  { source, diagnostics, document, omitted: leftOut, problems: shapeProblems }: ShapedSource,
  surroundings: LoadContext,
): LoadedSpec {
  if (source.document === undefined) return { source, diagnostics: limitDiagnostics(sortDiagnostics(diagnostics)) }
  const problems: Problem[] = [...shapeProblems]
  const report = (problem: Problem): void => void problems.push(problem)
  let service: Service | undefined
  if (document !== undefined) {
    const resolved = resolveService(document, leftOut, report)
    service = resolved.service
    const { problem, ...given } = surroundings
    if (problem !== undefined) report(problem)
    const { isIncomplete } = resolved
    const context: CheckContext = {
      document,
      service,
      types: buildTypeTable(service),
      report,
      isIncomplete,
      ...given,
    }
    checkService(context)
  }
  // A value with a YAML error is not in the document. That it is missing is no further error.
  const placeOf = ({ path, location }: Diagnostic): string => `${path}:${location.offset}`
  const wrong = new Set(diagnostics.map(placeOf))
  const located = problems.map(problem => locate(problem, source)).filter(diagnostic => !wrong.has(placeOf(diagnostic)))
  const all = sortDiagnostics([...diagnostics, ...located])
  const isSound = all.every(({ severity }) => severity !== 'error')
  const reported = limitDiagnostics(all)
  return service !== undefined && isSound
    ? { service, source, diagnostics: reported }
    : { source, diagnostics: reported }
}
