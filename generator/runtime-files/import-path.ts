import type { RuntimeLayout } from './runtime-layout.js'
import { partOf } from './runtime-part.js'

/**
 * What generated files import a module of the runtime by.
 *
 * @param module below the runtime folder: `server/call.js`
 * @param runtime where that folder is, without a slash at the end
 */
export function importPath(module: string, runtime: string, layout: RuntimeLayout): string {
  return `${runtime}/${layout === 'parts' ? `${partOf(module)}.js` : module}`
}
