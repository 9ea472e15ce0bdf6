import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatDiagnostics, type Service } from '../../spec/language/index.js'
import { DataError, readData } from '../data/read-data.js'
import type { EntityRecord } from '../store/store.js'

/** A service with one relation of each kind: contained, single, collection, constrained, and to derived types. */
export const sampleSpec = `
specwright: 1
service: { name: sample, title: Sample, namespace: sample, version: v1 }
authentication: { scheme: bearer, missing: unauthenticated, insufficient: forbidden, scopes: { Read: Read everything } }
resources:
  being:
    kind: entityType
    abstract: true
    key: [id]
    properties:
      id: { type: String, computed: true }
      name: { type: String, maxLength: 20 }
  person:
    kind: entityType
    base: being
    properties:
      login: { type: String, computed: true, unique: true }
      since: { type: DateTimeOffset, computed: true, stamp: created }
      rank: { type: Int32, default: 3 }
      tags: { type: String, collection: true }
      home: { type: place, nullable: true }
    navigation:
      boss: { to: person, nullable: true }
      teams: { to: team, collection: true }
      notes: { to: note, collection: true, contained: true }
  team:
    kind: entityType
    base: being
    navigation:
      members: { to: being, collection: true }
  note:
    kind: entityType
    key: [number]
    properties:
      number: { type: Int32, computed: true }
      text: { type: String }
    navigation:
      replies: { to: note, collection: true }
  place: { kind: complexType, properties: { city: { type: String } } }
  room:
    kind: entityType
    key: [floor, door]
    properties:
      floor: { type: Int32 }
      door: { type: String, createOnly: true }
      owner: { type: String, nullable: true }
    navigation:
      tenant: { to: person, nullable: true, constraint: { owner: id } }
      next: { to: room, nullable: true }
  rules: { kind: entityType, key: [id], properties: { id: { type: String, computed: true }, limit: { type: Int32 } } }
container:
  people: { entitySet: person }
  teams: { entitySet: team }
  beings: { entitySet: being }
  rooms: { entitySet: room }
  rules: { singleton: rules }
  me: { singleton: person, bound: principal }
paths:
  /people: { get: { returns: collection, scopes: [Read] } }
errors:
  unauthenticated: { status: 401, code: unauthenticated, message: Sign in. }
  forbidden: { status: 403, code: forbidden, message: Not allowed. }
`

/** The content of a data file: its items, and its diagnostics without the path, one per line. */
interface AllRead {
  readonly items: readonly EntityRecord[]
  readonly diagnostics: readonly string[]
}

/** Reads data from a temporary file. */
export async function readAll(service: Service, text: string | Uint8Array, name = 'data.yaml'): Promise<AllRead> {
  const folder = await mkdtemp(join(tmpdir(), 'specwright-data-'))
  try {
    const path = join(folder, name)
    await writeFile(path, text)
    return await readFrom(service, path)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Reads data from an existing file. */
export async function readFrom(service: Service, path: string): Promise<AllRead> {
  const items: EntityRecord[] = []
  try {
    for await (const item of readData(path, service)) items.push(item)
    return { items, diagnostics: [] }
  } catch (error) {
    if (!(error instanceof DataError)) throw error
    const text = formatDiagnostics(error.diagnostics, { format: 'plain' })
    return { items, diagnostics: text.split('\n').map(line => line.replaceAll(`${path}:`, '')) }
  }
}
