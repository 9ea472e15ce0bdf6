import { expect, it } from 'vitest'
import { createJournal, type Journal, type NoteEntry, type NoteRow, textsOf } from './journal.js'

const rowOf = ({ id, topic }: NoteEntry, version: number, more: Partial<NoteRow> = {}): NoteRow => ({
  id,
  topic,
  version,
  ...textsOf(id, version),
  count: 0,
  created: '2026-01-01T00:00:00Z',
  tag: `W/"${version}"`,
  ...more,
})

/** A journal with a note whose second version is acknowledged. */
function journalOfOne(): { readonly journal: Journal; readonly note: NoteEntry } {
  const journal = createJournal()
  const note = journal.create()
  journal.acknowledge(note, rowOf(note, 1))
  note.attempted = 2
  journal.acknowledge(note, rowOf(note, 2))
  note.isBusy = false
  return { journal, note }
}

it.each<[fault: string, read: (note: NoteEntry) => NoteRow, found: RegExp]>([
  ['an older version', note => rowOf(note, 1), /has version 1; 2 was acknowledged/],
  ['a version that nobody sent', note => rowOf(note, 3), /has version 3; 2 was acknowledged, 2 sent/],
  ['parts of two versions', note => rowOf(note, 2, { text: textsOf(note.id, 1).text }), /parts of different versions/],
  ['another time of creation', note => rowOf(note, 2, { created: '2026-01-02T00:00:00Z' }), /was created at/],
  ['a note that nobody sent', note => rowOf(note, 1, { id: 'other' }), /never sent/],
])('%s is a fault', (_, read, found) => {
  const { journal, note } = journalOfOne()
  expect(journal.objections(read(note), journal.sequence())).toEqual([expect.stringMatching(found)])
})

it('a read that was sent before a write may show either state', () => {
  const { journal, note } = journalOfOne()
  const since = journal.sequence()
  note.attempted = 3
  expect(journal.objections(rowOf(note, 3), since)).toEqual([])
  journal.acknowledge(note, rowOf(note, 3))
  expect(journal.objections(rowOf(note, 2), since)).toEqual([])
  journal.remove(note)
  expect(journal.objections(rowOf(note, 3), since)).toEqual([])
  expect(journal.objections(rowOf(note, 3), journal.sequence())).toEqual([`${note.id} is there but was deleted`])
})

it.each<[state: string, change: (note: NoteEntry) => void, found: number | undefined, faults: number]>([
  ['as acknowledged', () => undefined, 2, 0],
  ['lost', () => undefined, undefined, 1],
  [
    'lost after an update without an answer',
    note => Object.assign(note, { isUncertain: true, attempted: 3 }),
    undefined,
    1,
  ],
  ['old after an update without an answer', note => Object.assign(note, { isUncertain: true, attempted: 3 }), 2, 0],
  ['new after an update without an answer', note => Object.assign(note, { isUncertain: true, attempted: 3 }), 3, 0],
  [
    'gone after a delete without an answer',
    note => Object.assign(note, { isUncertain: true, isDeleting: true }),
    undefined,
    0,
  ],
  [
    'there after a delete without an answer',
    note => Object.assign(note, { isUncertain: true, isDeleting: true }),
    2,
    0,
  ],
])('a note that is %s at the end', (_, change, found, faults) => {
  const { journal, note } = journalOfOne()
  change(note)
  const rows = new Map(found === undefined ? [] : [[note.id, rowOf(note, found)]])
  expect(journal.settle(rows)).toHaveLength(faults)
  expect(journal.idle(0)?.acknowledged).toBe(found)
})
