import type { SelectItem } from '../ast.js'
import type { CheckContext } from './check-context.js'

/** `$select` of paths and `*`. Options nested in it, and operations, have no word in the capabilities. */
export function checkSelect(items: readonly SelectItem[], { report }: CheckContext): void {
  for (const { path, options } of items) {
    const property = path.join('/')
    if (options !== undefined) {
      report('$select', 'select.nested', `Options inside '$select=${property}' are not supported here.`, property)
    }
    if (path.some(name => name.endsWith('.*') || name.startsWith('@'))) {
      report('$select', 'select.operations', `Selecting '${property}' is not supported here.`, property)
    }
  }
}
