/** A service with a relation of each kind: contained, to one, to many, constrained, to derived types. */
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
