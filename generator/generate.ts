import { type Diagnostic, loadSpecText } from '../spec/language/index.js'
import { generateFrom } from './generate-from.js'
import type { GenerateOptions } from './generate-options.js'
import type { GeneratedFile } from './generated-file.js'
import { fileName } from './names/file-name.js'

/** The text of a spec. */
export interface SpecText {
  /** How diagnostics name it. */
  readonly path: string
  readonly text: string
}

/** What was generated, and all that is wrong with the specs. */
export interface Generated {
  /** Complete files, paths relative to an output folder; none of a spec with errors. */
  readonly files: readonly GeneratedFile[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Generates code in memory: nothing is read but Specwright's own templates and runtime, nothing is written.
 *
 * @param sources one spec, or several: then the files of each stand in a folder named after its service
 */
export function generate(sources: SpecText | readonly SpecText[], options: GenerateOptions = {}): Generated {
  if ('text' in sources) return generateFrom(loadSpecText(sources.text, sources.path), options)
  const results = sources.map(({ path, text }) => {
    const loaded = loadSpecText(text, path)
    const { files, diagnostics } = generateFrom(loaded, options)
    const folder = fileName(loaded.service?.name ?? '')
    return {
      files: sources.length > 1 ? files.map(file => ({ ...file, path: `${folder}/${file.path}` })) : files,
      diagnostics,
    }
  })
  return {
    files: results.flatMap(({ files }) => files),
    diagnostics: results.flatMap(({ diagnostics }) => diagnostics),
  }
}
