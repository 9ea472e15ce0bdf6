import { isJson, isRow, type Json } from '../json.js'

/** An item that the run did not create, and its values before the run changed it. */
export interface ChangedItem {
  readonly number: number
  readonly path: string
  readonly before: Readonly<Record<string, Json>>
}

/**
 * Records the items that a run creates or changes, so that a later run can delete the former. A call returns when the entry
 * is on disk.
 */
export interface Journal {
  /** An item is about to be created: the path of the create endpoint, and the marker in its text. */
  readonly creating: (entry: { readonly number: number; readonly path: string; readonly mark: string }) => void
  /** The item was created at this path, relative to the root. */
  readonly created: (entry: { readonly number: number; readonly path: string }) => void
  /** An existing item is about to be changed. */
  readonly changing: (entry: ChangedItem) => void
  /** The item is gone, was never created, or has its old values back. */
  readonly gone: (entry: { readonly number: number }) => void
}

/** What a run left, according to its journal. */
export interface ReadJournal {
  readonly url: string
  readonly spec: string
  /**
   * The newest first. `path` is the item's; absent if it is unknown whether the item exists. Then find it by `mark`.
   */
  readonly left: readonly {
    readonly number: number
    readonly collection: string
    readonly mark: string
    readonly path?: string
  }[]
  /** Existing items that do not have their old values back. */
  readonly changed: readonly ChangedItem[]
}

/** Longer lines, in characters, are no entries. */
const maxLineLength = 20_000

/**
 * Reads the lines of a journal, which may come from anybody; ignores incomplete lines and what is no entry. Absent if the
 * text is not a journal.
 */
export function readJournal(text: string): ReadJournal | undefined {
  const entries = text.split('\n').flatMap(line => {
    if (line.length > maxLineLength) return []
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
  const changed = new Map<number, ChangedItem>()
  for (const { creating, created, changing, gone } of entries) {
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
    if (isRow(changing) && typeof changing['number'] === 'number') {
      const { number, path, before } = changing
      if (typeof path === 'string' && isJson(before) && isRow(before)) changed.set(number, { number, path, before })
    }
    if (isRow(gone) && typeof gone['number'] === 'number') {
      left.delete(gone['number'])
      changed.delete(gone['number'])
    }
  }
  return { url, spec, left: [...left.values()].reverse(), changed: [...changed.values()] }
}
