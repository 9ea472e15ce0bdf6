import { isRow } from '../json.js'

/** Keeps what a run created, so that it can be removed when the run cannot do so itself. Entries are on disk when it returns. */
export interface Journal {
  /** An item is about to be created: `path` of the create endpoint, and the mark that its text carries. */
  readonly creating: (entry: { readonly number: number; readonly path: string; readonly mark: string }) => void
  /** It was created, at this address below the root. */
  readonly created: (entry: { readonly number: number; readonly path: string }) => void
  /** It is gone, or was never made. */
  readonly gone: (entry: { readonly number: number }) => void
}

/** What a run left over, as its journal tells. */
export interface ReadJournal {
  readonly url: string
  readonly spec: string
  /** The newest first. `path`: of the item; absent when nobody knows whether it was made: then `mark` finds it. */
  readonly left: readonly {
    readonly number: number
    readonly collection: string
    readonly mark: string
    readonly path?: string
  }[]
}

/** Reads a journal's lines. A last line that was cut off is passed over. Absent when it is none. */
export function readJournal(text: string): ReadJournal | undefined {
  const entries = text.split('\n').flatMap(line => {
    try {
      const entry: unknown = JSON.parse(line)
      return isRow(entry) ? [entry] : []
    } catch {
      return []
    }
  })
  const [head] = entries
  if (head === undefined || head['journal'] !== 1) return undefined
  const { url, spec } = head
  if (typeof url !== 'string' || typeof spec !== 'string') return undefined
  const left = new Map<number, ReadJournal['left'][number]>()
  for (const { creating, created, gone } of entries) {
    if (isRow(creating) && typeof creating['number'] === 'number') {
      const { number, path, mark } = creating
      if (typeof path === 'string' && typeof mark === 'string') left.set(number, { number, collection: path, mark })
    }
    if (isRow(created) && typeof created['number'] === 'number') {
      const before = left.get(created['number'])
      if (before !== undefined && typeof created['path'] === 'string') {
        left.set(before.number, { ...before, path: created['path'] })
      }
    }
    if (isRow(gone) && typeof gone['number'] === 'number') left.delete(gone['number'])
  }
  return { url, spec, left: [...left.values()].reverse() }
}
