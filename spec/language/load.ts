import type { Diagnostic } from './diagnostics/diagnostic.js'
import { locate } from './diagnostics/locate.js'
import type { Problem } from './diagnostics/problem.js'
import { sortDiagnostics } from './diagnostics/sort-diagnostics.js'
import type { Service } from './model/service.js'
import { resolveService } from './resolve/resolve-service.js'
import { checkShape } from './shape/check-shape.js'
import { readSource } from './source/read-source.js'
import type { Source } from './source/source.js'
import { type SourceResult, sourceOf } from './source/source-of.js'

/** A spec that was loaded, and all that is wrong with it. */
export interface Loaded {
  /** There when no diagnostic is an error. */
  readonly service?: Service
  readonly source: Source
  /** In the order of the text. */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Reads and checks a spec.
 *
 * @param path the file
 */
export async function loadSpec(path: string): Promise<Loaded> {
  return load(await readSource(path))
}

/**
 * Checks the text of a spec.
 *
 * @param path how diagnostics name it
 */
export async function loadSpecText(text: string, path: string): Promise<Loaded> {
  return load(sourceOf(text, path))
}

function load({ source, diagnostics }: SourceResult): Loaded {
  if (source.document === undefined) return { source, diagnostics: sortDiagnostics(diagnostics) }
  const shape = checkShape(source.document)
  const problems: Problem[] = [...shape.problems]
  const service =
    shape.document === undefined
      ? undefined
      : resolveService(
          shape.document,
          shape.leftOut,
          pointer => source.at(pointer, 'key').offset,
          problem => problems.push(problem),
        )
  const all = sortDiagnostics([...diagnostics, ...problems.map(problem => locate(problem, source))])
  const sound = service !== undefined && all.every(({ severity }) => severity !== 'error')
  return { source, diagnostics: all, ...(sound ? { service } : {}) }
}
