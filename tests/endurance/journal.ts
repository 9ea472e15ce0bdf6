/** A note as the service returns it. */
export interface NoteRow {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly topic: number
  readonly version: number
  readonly count: number
  readonly created: string
  readonly tag: string
}

/** What the client knows about a note that only it writes. At most one write of a note is in progress. */
export interface NoteEntry {
  readonly id: string
  readonly topic: number
  /** The version that the service acknowledged last; 0 if none. */
  acknowledged: number
  /** The highest version that was sent. */
  attempted: number
  /** The number of the write, among all, that was acknowledged last. */
  acknowledgedAt: number
  /** Whether a request to delete it was sent. */
  isDeleting: boolean
  isBusy: boolean
  /** Whether the outcome of its last write is unknown. It gets no other write before {@link Journal.settle}. */
  isUncertain: boolean
  tag: string
  staleTag: string
  created: string
}

/** The acknowledged writes to a service. */
export interface Journal {
  /** The number of writes whose outcome is known. */
  readonly sequence: () => number
  readonly entries: ReadonlyMap<string, NoteEntry>
  /** A note that no write is in progress for. @param place from 0 to 1 */
  readonly idle: (place: number) => NoteEntry | undefined
  readonly ofTopic: (topic: number) => Iterable<NoteEntry>
  /** Records that a create is about to be sent. */
  readonly create: () => NoteEntry
  /** Records that the service acknowledged a version. */
  readonly acknowledge: (entry: NoteEntry, row: NoteRow) => void
  /** Records that the note is deleted, or was never created. */
  readonly remove: (entry: NoteEntry) => void
  /** The faults of a note that a read returned. @param since {@link sequence} when the read was sent */
  readonly objections: (row: NoteRow, since: number) => readonly string[]
  /**
   * Compares all notes with the journal while no request is in progress, and takes over the outcome of uncertain writes.
   *
   * @returns the faults
   */
  readonly settle: (rows: ReadonlyMap<string, NoteRow>) => readonly string[]
}

/** The number of topics. */
export const topics = 50

/** Both texts of a version. */
export function textsOf(id: string, version: number): { readonly title: string; readonly text: string } {
  return { title: `note ${id} version ${version}`, text: `${id} ${version} ${'some words of a text '.repeat(12)}` }
}

/** Creates an empty journal. */
export function createJournal(): Journal {
  const entries = new Map<string, NoteEntry>()
  const list: NoteEntry[] = []
  const places = new Map<NoteEntry, number>()
  const byTopic = new Map<number, Set<NoteEntry>>()
  /** The number of the write that deleted a note. */
  const deleted = new Map<string, number>()
  let sequence = 0
  let created = 0

  const remove = (entry: NoteEntry): void => {
    deleted.set(entry.id, ++sequence)
    entries.delete(entry.id)
    byTopic.get(entry.topic)?.delete(entry)
    const place = places.get(entry) ?? 0
    const last = list.pop()
    if (last !== undefined && last !== entry) {
      list[place] = last
      places.set(last, place)
    }
    places.delete(entry)
  }

  const objections = (row: NoteRow, since: number): readonly string[] => {
    const entry = entries.get(row.id)
    if (entry === undefined) {
      const at = deleted.get(row.id)
      return at !== undefined && at > since
        ? []
        : [`${row.id} is there but was ${at === undefined ? 'never sent, or deleted long ago' : 'deleted'}`]
    }
    const found: string[] = []
    const least = entry.acknowledgedAt <= since ? entry.acknowledged : 0
    if (row.version < least || row.version > entry.attempted)
      found.push(`${row.id} has version ${row.version}; ${least} was acknowledged, ${entry.attempted} sent`)
    const { title, text } = textsOf(row.id, row.version)
    if (row.title !== title || row.text !== text || row.topic !== entry.topic)
      found.push(`${row.id} has parts of different versions: ${row.version}, ${row.title}, ${row.text.slice(0, 20)}`)
    if (entry.created !== '' && row.created !== entry.created)
      found.push(`${row.id} was created at ${entry.created}, and now at ${row.created}`)
    return found
  }

  return {
    sequence: () => sequence,
    entries,
    idle: place => {
      for (let attempt = 0; attempt < 20; attempt++) {
        const entry = list[(Math.floor(place * list.length) + attempt) % list.length]
        if (entry !== undefined && !entry.isBusy && !entry.isUncertain) return entry
      }
      return undefined
    },
    ofTopic: topic => byTopic.get(topic) ?? [],
    create: () => {
      const number = created++
      const entry: NoteEntry = {
        id: `n${number}`,
        topic: number % topics,
        acknowledged: 0,
        attempted: 1,
        acknowledgedAt: Number.POSITIVE_INFINITY,
        isDeleting: false,
        isBusy: true,
        isUncertain: false,
        tag: '',
        staleTag: '',
        created: '',
      }
      entries.set(entry.id, entry)
      places.set(entry, list.length)
      list.push(entry)
      const ofTopic = byTopic.get(entry.topic) ?? new Set()
      byTopic.set(entry.topic, ofTopic.add(entry))
      return entry
    },
    acknowledge: (entry, row) => {
      entry.acknowledged = row.version
      entry.acknowledgedAt = ++sequence
      entry.staleTag = entry.tag
      entry.tag = row.tag
      if (entry.created === '') entry.created = row.created
    },
    remove,
    objections,
    settle: rows => {
      const faults: string[] = []
      for (const row of rows.values()) faults.push(...objections(row, sequence))
      for (const entry of [...entries.values()]) {
        const row = rows.get(entry.id)
        const mayBeAbsent = entry.isUncertain && (entry.isDeleting || entry.acknowledged === 0)
        if (row === undefined) {
          if (!mayBeAbsent) faults.push(`${entry.id} is lost; version ${entry.acknowledged} was acknowledged`)
          remove(entry)
          continue
        }
        if (!entry.isUncertain && row.tag !== entry.tag)
          faults.push(`${entry.id} has the tag ${row.tag}, not ${entry.tag}`)
        if (entry.isUncertain) {
          entry.acknowledgedAt = ++sequence
          entry.acknowledged = row.version
          entry.attempted = row.version
          entry.tag = row.tag
          entry.staleTag = ''
          entry.created = row.created
          entry.isDeleting = false
          entry.isUncertain = false
        }
      }
      deleted.clear()
      return faults
    },
  }
}
