import { listOf, memberOf } from '../crash/thing-client.js'
import type { Random } from '../fuzz/random.js'
import type { Answer, Send } from './http-client.js'
import { createJournal, type NoteEntry, type NoteRow, textsOf, topics } from './journal.js'

/** The kinds of requests, with their shares of 100. */
const shares = [
  ['item', 38],
  ['topic', 12],
  ['ordered', 8],
  ['search', 4],
  ['delta', 4],
  ['createOrDelete', 14],
  ['update', 13],
  ['stale', 2],
  ['count', 5],
] as const
type Kind = (typeof shares)[number][0]
const kinds: readonly Kind[] = shares.flatMap(([kind, share]) => Array<Kind>(share).fill(kind))

/** How a request ended: answered as expected, or refused: by 503, or without a response. */
export type Outcome = 'answered' | 'full' | 'tooSlow' | 'unavailable' | 'unconnected' | 'broken'

/** The requests to one service, and what must hold for their responses. */
export interface Workload {
  /** Sends the next request. */
  readonly step: () => Promise<Outcome>
  /** Creates the counters and notes of the start. */
  readonly fill: () => Promise<void>
  /** While no request is in progress: reads everything and compares it with what was acknowledged. */
  readonly verify: () => Promise<Verification>
  /** The faults so far, at most a hundred. */
  readonly faults: readonly string[]
  /** The acknowledged writes, but those of counters. */
  readonly acknowledged: () => number
}

export interface Verification {
  readonly notes: number
  readonly increments: number
  readonly faults: readonly string[]
}

interface Counter {
  readonly id: string
  tag: string
  count: number
  base: number
  acknowledged: number
  unknown: number
}

/** The topic of notes that all increment. */
const counterTopic = -1
const counters = 8

/**
 * @param level the number of notes, which creates and deletes keep
 * @param clock the time of the service, in milliseconds since 1970, or undefined while it is stepping
 */
export function createWorkload(send: Send, level: number, random: Random, clock: () => number | undefined): Workload {
  const journal = createJournal()
  const faults: string[] = []
  const object = (fault: string): void => {
    if (faults.length < 100) faults.push(`${new Date().toISOString()} ${fault}`)
  }
  const counted: Counter[] = []
  let acknowledged = 0
  const copy = new Map<string, NoteRow>()
  let deltaPath = '/notes/delta'
  let isFollowing = false

  /** Undefined: the request was refused. Every other status that is not expected is a fault. */
  const refusal = (
    answer: Answer,
    what: string,
    ...expected: readonly number[]
  ): Exclude<Outcome, 'answered'> | undefined => {
    if (expected.includes(answer.status)) return undefined
    // Nothing was sent on a refused connection.
    if (answer.status === 0) return answer.text === 'ECONNREFUSED' ? 'unconnected' : 'broken'
    if (answer.status === 503) {
      if (answer.text.includes('disk of the store is full')) return 'full'
      return answer.text.includes('took') ? 'tooSlow' : 'unavailable'
    }
    object(`${what}: ${answer.status} ${answer.text.slice(0, 300)}`)
    return 'unavailable'
  }

  const readItem = async (): Promise<Outcome> => {
    const entry = journal.idle(random.below(10_000) / 10_000)
    if (entry === undefined) return 'answered'
    const since = journal.sequence()
    const answer = await send('GET', `/notes/${entry.id}`)
    const refused = refusal(answer, `GET ${entry.id}`, 200, 404)
    if (refused !== undefined) return refused
    if (answer.status === 200)
      for (const fault of journal.objections(rowOf(answer.text), since)) object(`item: ${fault}`)
    else if (entry.acknowledgedAt <= since && !entry.isDeleting) object(`item: ${entry.id} is lost`)
    return 'answered'
  }

  const readPage = async (path: string, check: (rows: readonly NoteRow[], since: number) => void): Promise<Outcome> => {
    const since = journal.sequence()
    const answer = await send('GET', path)
    const refused = refusal(answer, `GET ${path}`, 200)
    if (refused !== undefined) return refused
    const rows = rowsOf(answer.text)
    for (const row of rows) {
      if (row.topic === counterTopic) continue
      for (const fault of journal.objections(row, since)) object(`${path}: ${fault}`)
    }
    check(rows, since)
    return 'answered'
  }

  const readTopic = (): Promise<Outcome> => {
    const topic = random.below(topics)
    return readPage(`/notes?$filter=topic%20eq%20${topic}`, (rows, since) => {
      const found = new Set(rows.map(({ id }) => id))
      if (rows.some(row => row.topic !== topic)) object(`topic ${topic}: a note of another topic`)
      for (const entry of journal.ofTopic(topic))
        if (entry.acknowledgedAt <= since && !entry.isDeleting && !found.has(entry.id))
          object(`topic ${topic}: ${entry.id} is lost`)
    })
  }

  const readOrdered = (): Promise<Outcome> =>
    readPage('/notes?$orderby=version%20desc,id&$top=30', rows => {
      if (rows.some((row, index) => index > 0 && row.version > (rows[index - 1]?.version ?? 0))) object('not in order')
    })

  const search = (): Promise<Outcome> => {
    const entry = journal.idle(random.below(10_000) / 10_000)
    if (entry === undefined) return Promise.resolve('answered')
    return readPage(`/notes?$search=${entry.id}`, (rows, since) => {
      if (entry.acknowledgedAt <= since && !entry.isDeleting && !rows.some(({ id }) => id === entry.id))
        object(`a search does not find ${entry.id}`)
    })
  }

  /** Follows one link. */
  const followDelta = async (): Promise<Outcome> => {
    isFollowing = true
    try {
      const answer = await send('GET', deltaPath)
      const refused = refusal(answer, 'delta', 200)
      if (refused !== undefined) return refused
      const json: unknown = JSON.parse(answer.text)
      for (const item of listOf(json, 'value')) {
        if (memberOf(item, '@removed') !== undefined) copy.delete(String(memberOf(item, 'id')))
        else {
          const row = noteRow(item)
          copy.set(row.id, row)
        }
      }
      const link = String(memberOf(json, '@odata.nextLink') ?? memberOf(json, '@odata.deltaLink'))
      deltaPath = link.slice(link.indexOf('/notes/delta'))
      return memberOf(json, '@odata.nextLink') === undefined ? 'answered' : await followDelta()
    } finally {
      isFollowing = false
    }
  }

  /** Records the outcome of a write that was not acknowledged. One that the full disk or the network refused was not done. */
  const refuse = (entry: NoteEntry, refused: Outcome): Outcome => {
    entry.isBusy = false
    if (refused === 'full' || refused === 'unconnected') {
      entry.isDeleting = false
      entry.attempted = entry.acknowledged
      if (entry.acknowledged === 0) journal.remove(entry)
    } else entry.isUncertain = true
    return refused
  }

  const checkStamp = (text: string, name: 'created' | 'changed', before: number | undefined): void => {
    const after = clock()
    // A request may take longer than a step back.
    if (before === undefined || after === undefined || after < before) return
    const stamp = Date.parse(String(memberOf(JSON.parse(text), name)))
    if (stamp < before - stampTolerance || stamp > after + stampTolerance)
      object(`${name} is ${new Date(stamp).toISOString()} at ${new Date(after).toISOString()} of the service`)
  }

  const create = async (): Promise<Outcome> => {
    const entry = journal.create()
    const before = clock()
    const body = { id: entry.id, ...textsOf(entry.id, 1), topic: entry.topic, version: 1 }
    const answer = await send('POST', '/notes', body)
    const refused = refusal(answer, `POST ${entry.id}`, 201)
    if (refused !== undefined) return refuse(entry, refused)
    checkStamp(answer.text, 'created', before)
    journal.acknowledge(entry, rowOf(answer.text))
    acknowledged++
    entry.isBusy = false
    return 'answered'
  }

  const erase = async (entry: NoteEntry): Promise<Outcome> => {
    entry.isBusy = true
    entry.isDeleting = true
    const answer = await send('DELETE', `/notes/${entry.id}`)
    const refused = refusal(answer, `DELETE ${entry.id}`, 204)
    if (refused !== undefined) return refuse(entry, refused)
    acknowledged++
    journal.remove(entry)
    return 'answered'
  }

  const createOrDelete = (): Promise<Outcome> => {
    const entry = journal.entries.size > level ? journal.idle(random.below(10_000) / 10_000) : undefined
    return entry === undefined ? create() : erase(entry)
  }

  const update = async (isStale: boolean): Promise<Outcome> => {
    const entry = journal.idle(random.below(10_000) / 10_000)
    if (entry === undefined || (isStale && entry.staleTag === '')) return 'answered'
    entry.isBusy = true
    const version = entry.acknowledged + 1
    entry.attempted = version
    const tag = isStale ? entry.staleTag : entry.tag
    const before = clock()
    const body = { ...textsOf(entry.id, version), version }
    const answer = await send('PATCH', `/notes/${entry.id}`, body, { 'if-match': tag })
    const refused = refusal(answer, `PATCH ${entry.id} with ${tag}${isStale ? ', stale' : ''}`, isStale ? 412 : 200)
    if (refused !== undefined) return refuse(entry, refused)
    if (isStale) entry.attempted = entry.acknowledged
    else {
      checkStamp(answer.text, 'changed', before)
      journal.acknowledge(entry, rowOf(answer.text))
      acknowledged++
    }
    entry.isBusy = false
    return 'answered'
  }

  const increment = async (): Promise<Outcome> => {
    const counter = counted[random.below(counted.length)]
    if (counter === undefined) return 'answered'
    const { id, count, tag } = counter
    const answer = await send('PATCH', `/notes/${id}`, { count: count + 1 }, { 'if-match': tag })
    const refused = refusal(answer, `PATCH ${id}`, 200, 412)
    if (refused === 'full' || refused === 'unconnected') return refused
    if (refused !== undefined) {
      counter.unknown++
      return refused
    }
    if (answer.status === 200) counter.acknowledged++
    const latest = answer.status === 200 ? answer : await send('GET', `/notes/${id}`)
    const unread = refusal(latest, `GET ${id}`, 200)
    if (unread !== undefined) return unread
    const row = rowOf(latest.text)
    if (answer.status === 200 && row.count !== count + 1) object(`${id} is ${row.count} after ${count} + 1`)
    if (row.count >= counter.count) Object.assign(counter, { count: row.count, tag: row.tag })
    return 'answered'
  }

  const steps: Readonly<Record<Kind, () => Promise<Outcome>>> = {
    item: readItem,
    topic: readTopic,
    ordered: readOrdered,
    search,
    delta: () => (isFollowing ? readItem() : followDelta()),
    createOrDelete,
    update: () => update(false),
    stale: () => update(true),
    count: increment,
  }

  const readAll = async (): Promise<ReadonlyMap<string, NoteRow>> => {
    const rows = new Map<string, NoteRow>()
    for (let path = '/notes'; ; ) {
      const { status, text } = await send('GET', path)
      if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
      for (const row of rowsOf(text)) {
        if (rows.has(row.id)) object(`${row.id} came twice`)
        rows.set(row.id, row)
      }
      const next = memberOf(JSON.parse(text), '@odata.nextLink')
      if (typeof next !== 'string') return rows
      path = next.slice(next.indexOf('/notes?'))
    }
  }

  return {
    step: () => steps[kinds[random.below(kinds.length)] ?? 'item'](),
    fill: async () => {
      for (let index = 0; index < counters; index++) {
        const id = `counter${index}`
        const { status, text } = await send('POST', '/notes', {
          id,
          title: id,
          text: id,
          topic: counterTopic,
          version: 0,
        })
        if (status !== 201) throw new Error(text)
        counted.push({ id, tag: rowOf(text).tag, count: 0, base: 0, acknowledged: 0, unknown: 0 })
      }
      while (journal.entries.size < level) await Promise.all(Array.from({ length: 8 }, create))
    },
    verify: async () => {
      const rows = await readAll()
      const found: string[] = []
      let increments = 0
      for (const counter of counted) {
        const row = rows.get(counter.id)
        const added = (row?.count ?? -1) - counter.base
        if (row === undefined || added < counter.acknowledged || added > counter.acknowledged + counter.unknown)
          found.push(`${counter.id}: ${added} more; ${counter.acknowledged} acknowledged, ${counter.unknown} unknown`)
        if (row === undefined) continue
        increments += row.count
        Object.assign(counter, { base: row.count, count: row.count, tag: row.tag, acknowledged: 0, unknown: 0 })
      }
      const notes = new Map([...rows].filter(([, { topic }]) => topic !== counterTopic))
      found.push(...journal.settle(notes))
      const followed = await followDelta()
      if (followed !== 'answered') found.push(`delta: ${followed}`)
      for (const [id, row] of rows)
        if (JSON.stringify(copy.get(id)) !== JSON.stringify(row)) found.push(`${id} differs in the copy`)
      for (const id of copy.keys()) if (!rows.has(id)) found.push(`${id} is in the copy but not in the collection`)
      for (const fault of found) object(`verify: ${fault}`)
      return { notes: notes.size, increments, faults: found.slice(0, 20) }
    },
    faults,
    acknowledged: () => acknowledged,
  }
}

/** By how many milliseconds a stamp may be off: the service reads a step of its clock only every second. */
const stampTolerance = 3_000

function noteRow(json: unknown): NoteRow {
  return {
    id: String(memberOf(json, 'id')),
    title: String(memberOf(json, 'title')),
    text: String(memberOf(json, 'text')),
    topic: Number(memberOf(json, 'topic')),
    version: Number(memberOf(json, 'version')),
    count: Number(memberOf(json, 'count')),
    created: String(memberOf(json, 'created')),
    tag: String(memberOf(json, '@odata.etag')),
  }
}

function rowOf(text: string): NoteRow {
  return noteRow(JSON.parse(text))
}

function rowsOf(text: string): readonly NoteRow[] {
  return listOf(JSON.parse(text), 'value').map(noteRow)
}
