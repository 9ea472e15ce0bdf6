import type { QueryOptions } from '../ast.js'
import { type Frame, report } from './frame.js'

const collectionOptions = ['filter', 'search', 'orderby', 'top', 'skip', 'count'] as const

/** Options that choose among items mean nothing for a single one. */
export function checkCollectionOptions(options: QueryOptions, isCollection: boolean, path: string, frame: Frame): void {
  if (isCollection) return
  for (const name of collectionOptions) {
    if (options[name] === undefined) continue
    const message = `'$${name}' chooses among the items of a collection, but '${path}' is a single one. Leave it out.`
    report({ ...frame, option: `$${name}` }, 'notApplicable', message, path)
  }
}
