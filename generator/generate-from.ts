import { locate } from '../spec/language/diagnostics/locate.js'
import type { Diagnostic, Loaded } from '../spec/language/index.js'
import { emitService } from './emit/emit-service.js'
import type { GenerateOptions } from './generate-options.js'
import type { GeneratedFile } from './generated-file.js'
import { decideNames } from './names/decide-names.js'

/** The files of one loaded spec; none when it, or its names in generated code, have errors. */
export function generateFrom(
  loaded: Loaded,
  options: GenerateOptions,
): { readonly files: readonly GeneratedFile[]; readonly diagnostics: readonly Diagnostic[] } {
  const { service, source, diagnostics } = loaded
  if (service === undefined) return { files: [], diagnostics }
  const { names, problems } = decideNames(service)
  const found = problems.map(({ at, related, ...problem }) =>
    locate(
      {
        ...problem,
        at,
        on: 'key',
        ...(related === undefined ? {} : { related: [{ ...related, on: 'key' as const }] }),
      },
      source,
    ),
  )
  const all = [...diagnostics, ...found]
  return { files: found.length > 0 ? [] : emitService(service, names, options), diagnostics: all }
}
