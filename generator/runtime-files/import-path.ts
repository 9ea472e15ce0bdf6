import { type ImportExtension, withExtension } from '../import-extension.js'
import type { RuntimeLayout } from './runtime-layout.js'
import { partOf } from './runtime-part.js'

/** Where generated files find the runtime. */
export interface RuntimePlace {
  /** A folder, seen from the output, or a package; no slash at the end. */
  readonly path: string
  readonly layout: RuntimeLayout
  readonly extension: ImportExtension
}

/**
 * What generated files import a module of the runtime by.
 *
 * @param module below the runtime folder: `server/call.js`
 */
export function importPath(module: string, { path, layout, extension }: RuntimePlace): string {
  return withExtension(`${path}/${layout === 'parts' ? `${partOf(module)}.js` : module}`, extension)
}
