import type { Facets } from '../../../spec/language/index.js'
import type { Behaviour, Change, EndpointContext, TypedValue } from '../service/behaviour.js'
import { isObject, type Json, type JsonObject } from '../service/json.js'
import { ServiceCrash } from '../service/service.js'
import { createEntity, type Entity } from '../service/store.js'
import { removeEntity } from '../service/writes.js'
import { changeBody, type Mutant, mutantsIn } from './mutant.js'

const mutant = mutantsIn('writing')
const libraryMutant = mutantsIn('writing', 'library')

type Values = Readonly<Record<string, Json>>

/** The other items of the same list with the same subject. */
function twinsOf({ owner, values }: Entity): readonly Entity[] {
  const siblings = owner?.entity.related.get(owner.relation.name) ?? []
  return siblings.filter(each => each.values !== values && each.values['subject'] === values['subject'])
}

function isEmptyList(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length === 0
}

/** Changes each string. */
function mapTexts(values: Values, keep: readonly string[], change: (text: string) => string): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' && !keep.includes(name) ? change(value) : value,
    ]),
  )
}

const isFree = (name: string, values: Values): boolean => typeof values[name] === 'string'

/** An update that leaves stamps of one kind as they were. */
function withStamp(
  change: Extract<Change, { readonly kind: 'update' }>,
  kind: 'created' | 'changed',
): Extract<Change, { readonly kind: 'update' }> {
  const { entity, values } = change
  const kept = entity.type.properties
    .filter(({ stamp }) => stamp === kind)
    .map(({ name }) => [name, entity.values[name] ?? null] as const)
  return { ...change, values: { ...values, ...Object.fromEntries(kept) } }
}

/** A property whose type definition states no facets, and that has other facets itself. */
function withoutFacets(property: TypedValue, facets: Facets): TypedValue {
  const { type } = property
  return { ...property, ...facets, type: type.kind === 'typeDefinition' ? { ...type, ...facets } : type }
}

/** A filter that sees other values of some items than they have. */
function filterSeeing({ filter }: Behaviour, othersOf: (row: Entity) => Values | undefined): Behaviour['filter'] {
  return (rows, test, at) => {
    const seen = (row: Entity): Entity => {
      const others = othersOf(row)
      return others === undefined ? row : { ...row, values: { ...row.values, ...others } }
    }
    return filter(rows, row => test(seen(row)), at)
  }
}

/** Faults of creates, updates and deletes. */
export const writingMutants: readonly Mutant[] = [
  mutant('patch-replaces', 'PATCH clears omitted properties.', correct => ({
    merge: (old, changes, row, at) => {
      const cleared = Object.fromEntries(
        row.type.properties.filter(({ computed, nullable }) => !computed && nullable).map(({ name }) => [name, null]),
      )
      return correct.merge({ ...old, ...cleared }, changes, row, at)
    },
  })),
  mutant('count-path-kept', 'The path of a count returns what it has counted for the same filter before.', correct => {
    const counted = new Map<string, number>()
    return {
      countPath: (matching, all, at) => {
        if (at.options.filter === undefined) return correct.countPath(matching, all, at)
        const count = counted.get(at.request.query) ?? correct.countPath(matching, all, at)
        counted.set(at.request.query, count)
        return count
      },
    }
  }),
  mutant('create-lost-among-others', 'Of several creates at the same time, one remains.', correct => ({
    commit: (change, at) => {
      if (change.kind !== 'create' || !at.isOvertaken()) correct.commit(change, at)
    },
  })),
  mutant('singleton-patch-clears', 'PATCH of a singleton clears a property that the body omits.', correct => ({
    merge: (old, changes, row, at) => {
      const cleared = row.type.properties.find(
        ({ name, computed, nullable }) => !computed && nullable && typeof old[name] === 'string' && !(name in changes),
      )
      const isSingleton = at.endpoint.resolved.length === 1
      return correct.merge(
        isSingleton && cleared !== undefined ? { ...old, [cleared.name]: null } : old,
        changes,
        row,
        at,
      )
    },
  })),
  mutant('singleton-patch-changes-key', 'Each PATCH of a singleton gives it another key.', correct => ({
    item: (item, row, at) => {
      const shown = correct.item(item, row, at)
      const isChanged = at.endpoint.resolved.length === 1 && at.endpoint.kind !== 'collection' && row.version > 1
      return isChanged && typeof shown['id'] === 'string' ? { ...shown, id: `${shown['id']}-${row.version}` } : shown
    },
  })),
  mutant('singleton-patch-null-as-text', 'PATCH of a singleton stores null as a text.', correct => ({
    merge: (old, changes, row, at) => {
      const isSingleton = at.endpoint.resolved.length === 1
      const texts = Object.entries(changes).map(([name, value]) => [name, isSingleton ? (value ?? 'null') : value])
      return correct.merge(old, Object.fromEntries(texts), row, at)
    },
  })),
  mutant(
    'singleton-patch-leaves-search',
    '$search looks for the words that a singleton had before an update.',
    correct => {
      const before = new Map<Entity, Entity['values']>()
      return {
        commit: (change, at) => {
          const isSingleton = at.endpoint.resolved.length === 1 && change.kind === 'update'
          if (isSingleton && !before.has(change.entity)) before.set(change.entity, change.entity.values)
          correct.commit(change, at)
        },
        search: (search, row, at) => correct.search(search, { ...row, values: before.get(row) ?? row.values }, at),
      }
    },
  ),
  mutant('filter-keeps-cleared', 'A filter sees the job title that an update has set to null.', correct => {
    const before = new Map<Entity, Json>()
    return {
      commit: (change, at) => {
        const { jobTitle } = change.entity.values
        if (change.kind === 'update' && change.values['jobTitle'] === null && typeof jobTitle === 'string')
          before.set(change.entity, jobTitle)
        correct.commit(change, at)
      },
      filter: filterSeeing(correct, row => {
        const jobTitle = row.values['jobTitle'] === null ? before.get(row) : undefined
        return jobTitle === undefined ? undefined : { jobTitle }
      }),
    }
  }),
  mutant('filter-keeps-importance', 'A filter sees the importance that a message had before an update.', correct => {
    const before = new Map<Entity, Json>()
    return {
      commit: (change, at) => {
        const { importance } = change.entity.values
        if (change.kind === 'update' && importance !== undefined && !before.has(change.entity))
          before.set(change.entity, importance)
        correct.commit(change, at)
      },
      filter: filterSeeing(correct, row => {
        const importance = before.get(row)
        return importance === undefined ? undefined : { importance }
      }),
    }
  }),
  mutant('singleton-patch-of-two', 'PATCH of a singleton stores only two of several properties.', correct => ({
    merge: (old, changes, row, at) => {
      const some = at.endpoint.resolved.length === 1 ? Object.entries(changes).slice(0, 2) : Object.entries(changes)
      return correct.merge(old, Object.fromEntries(some), row, at)
    },
  })),
  mutant('singleton-patch-changes-another', 'PATCH of the name of a singleton also changes another text.', correct => ({
    merge: (old, changes, row, at) => {
      const isRenamed = at.endpoint.resolved.length === 1 && 'displayName' in changes && !('jobTitle' in changes)
      return correct.merge(isRenamed ? { ...old, jobTitle: 'Renamed' } : old, changes, row, at)
    },
  })),
  mutant('patch-answers-changes', 'PATCH returns the changed properties only.', correct => ({
    reply: (reply, at) => {
      const { json } = reply
      if (at.request.method !== 'PATCH' || reply.status !== 200 || !isObject(json)) return correct.reply(reply, at)
      const sent: Json = JSON.parse(at.request.body)
      return isObject(sent)
        ? { ...reply, json: Object.fromEntries(Object.entries(json).filter(([name]) => name in sent)) }
        : reply
    },
  })),
  mutant('patch-without-effect', 'PATCH returns the changed item but does not store it.', correct => ({
    commit: (change, at) => {
      if (change.kind !== 'update') correct.commit(change, at)
    },
  })),
  mutant('patch-of-first-only', 'PATCH stores only the first of several properties.', correct => ({
    merge: (old, changes, row, at) =>
      correct.merge(old, Object.fromEntries(Object.entries(changes).slice(0, 1)), row, at),
  })),
  mutant('patch-changes-key', 'PATCH with another key in its body changes the key.', () => ({ storesComputed: true })),
  mutant('patch-ignores-false', 'PATCH ignores false.', correct => ({
    merge: (old, changes, row, at) =>
      correct.merge(old, Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== false)), row, at),
  })),
  mutant('patch-ignores-empty-texts', 'PATCH ignores empty texts.', correct => ({
    merge: (old, changes, row, at) =>
      correct.merge(old, Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== '')), row, at),
  })),
  mutant(
    'patch-leaves-cached-selections',
    'A read with $select shows the item as it was at the first such read.',
    correct => {
      const cached = new Map<string, JsonObject>()
      return {
        item: (item, row, at) => {
          if (at.endpoint.kind !== 'item' || at.options.select === undefined) return correct.item(item, row, at)
          const name = `${at.request.path}?${at.request.query}`
          const known = cached.get(name) ?? correct.item(item, row, at)
          cached.set(name, known)
          return known
        },
      }
    },
  ),
  mutant('patch-leaves-expanded', 'Expanded items are shown as they were when they were first expanded.', correct => {
    const cached = new Map<string, Json>()
    const asBefore = (item: Json): Json => {
      if (!isObject(item)) return item
      const key = `${item['id']} ${Object.keys(item).join()}`
      const known = cached.get(key) ?? item
      cached.set(key, known)
      return known
    }
    return {
      expanded: (items, relation, row, at) => correct.expanded(items.map(asBefore), relation, row, at),
    }
  }),
  mutant('patch-leaves-members', 'A list of members shows each one as it was when it was first listed.', correct => {
    const cached = new Map<string, JsonObject>()
    return {
      item: (item, row, at) => {
        const shown = correct.item(item, row, at)
        if (at.endpoint.kind !== 'collection' || !at.request.path.endsWith('/members')) return shown
        const key = `${shown['id']} ${Object.keys(shown).join()}`
        const known = cached.get(key) ?? shown
        cached.set(key, known)
        return known
      },
    }
  }),
  libraryMutant('patch-ignores-null', 'PATCH ignores null.', correct => ({
    merge: (old, changes, row, at) =>
      correct.merge(old, Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null)), row, at),
  })),
  mutant('patch-answers-old', 'PATCH returns the old item.', () => ({
    updatedItem: before => before,
  })),
  mutant('patch-appends', 'PATCH appends to a collection instead of replacing it.', correct => ({
    merge: (old, changes, row, at) => {
      const grown = Object.entries(changes).map(([name, value]) => {
        const before = old[name]
        return [name, Array.isArray(value) && Array.isArray(before) ? [...before, ...value] : value]
      })
      return correct.merge(old, Object.fromEntries(grown), row, at)
    },
  })),
  mutant('patch-reaches-neighbour', 'PATCH also changes the adjacent item.', correct => ({
    commit: (change, at) => {
      correct.commit(change, at)
      if (change.kind !== 'update') return
      const owned = change.entity.owner?.entity.related.get(change.entity.owner.relation.name) ?? []
      const next = owned[owned.indexOf(change.entity) - 1]
      if (next !== undefined) next.values = { ...change.values, ...keyOf(next.values) }
    },
  })),
  mutant('patch-reaches-newest', 'PATCH also changes the newest item.', correct => ({
    commit: (change, at) => {
      correct.commit(change, at)
      if (change.kind !== 'update') return
      const owned = change.entity.owner?.entity.related.get(change.entity.owner.relation.name) ?? []
      const newest = owned.at(-1)
      if (newest !== undefined && newest !== change.entity)
        newest.values = { ...change.values, ...keyOf(newest.values) }
    },
  })),
  mutant('patch-reaches-twin', 'PATCH also changes items with the same subject.', correct => ({
    commit: (change, at) => {
      const twins = twinsOf(change.entity)
      correct.commit(change, at)
      if (change.kind !== 'update') return
      for (const twin of twins) twin.values = { ...change.values, ...keyOf(twin.values) }
    },
  })),
  mutant(
    'create-shares-default',
    'A new item without a list has the list of the item that was created before.',
    correct => {
      const last = new Map<string, Json>()
      return {
        commit: (change, at) => {
          if (change.kind === 'create') {
            const { values } = change.entity
            const lists = Object.entries(values).filter(([, value]) => Array.isArray(value))
            const filled = lists.map(([name, value]) => {
              return [name, isEmptyList(value) ? (last.get(name) ?? value) : value] as const
            })
            for (const [name, value] of filled) last.set(name, value)
            change.entity.values = { ...values, ...Object.fromEntries(filled) }
          }
          correct.commit(change, at)
        },
      }
    },
  ),
  mutant('location-of-another-key', 'The Location of a new item has another key.', correct => ({
    reply: (reply, at) => {
      const { Location: location } = reply.headers
      const headers = location === undefined ? {} : { Location: `${location}0` }
      return correct.reply({ ...reply, headers: { ...reply.headers, ...headers } }, at)
    },
  })),
  mutant('create-refused-but-made', 'A create makes an item, and then fails with 400.', correct => ({
    reply: (reply, at) =>
      at.request.method === 'POST' && reply.status === 201
        ? correct.error(at.service.faults.invalidBody, 'The body is invalid.', at)
        : correct.reply(reply, at),
  })),
  mutant('patch-reaches-related', 'PATCH also changes the items that single-valued relations lead to.', correct => ({
    commit: (change, at) => {
      correct.commit(change, at)
      if (change.kind !== 'update') return
      for (const relation of change.entity.type.navigation) {
        const [target] = relation.collection ? [] : (change.entity.related.get(relation.name) ?? [])
        if (target === undefined || target.type !== change.entity.type) continue
        target.values = { ...target.values, ...change.values, ...keyOf(target.values) }
      }
    },
  })),
  mutant('create-removes-oldest', 'A create removes the oldest item of the collection.', correct => ({
    commit: (change, at) => {
      correct.commit(change, at)
      const { owner } = change.entity
      const oldest = change.kind === 'create' ? owner?.entity.related.get(owner.relation.name)?.[0] : undefined
      if (oldest !== undefined && oldest !== change.entity) correct.commit({ kind: 'delete', entity: oldest }, at)
    },
  })),
  mutant('create-restores-deleted', 'A create brings back the item that was deleted last.', correct => {
    let deleted: Entity | undefined
    return {
      commit: (change, at) => {
        correct.commit(change, at)
        if (change.kind === 'delete') deleted = change.entity
        if (change.kind !== 'create' || deleted === undefined) return
        correct.commit({ ...change, entity: deleted }, at)
        deleted = undefined
      },
    }
  }),
  mutant('delete-reaches-twin', 'DELETE also removes items with the same subject.', correct => ({
    commit: (change, at) => {
      const twins = twinsOf(change.entity)
      correct.commit(change, at)
      if (change.kind !== 'delete') return
      for (const entity of twins) correct.commit({ kind: 'delete', entity }, at)
    },
  })),
  mutant('delete-before-the-credential', 'A DELETE without a credential gets 401, but removes the item.', correct => ({
    authenticates: (credential, at) => {
      const isRight = correct.authenticates(credential, at)
      const key = decodeURIComponent(at.request.path.split('/').at(-1) ?? '')
      const entity = [...at.store.entities].find(({ values }) => values['id'] === key)
      if (!isRight && at.request.method === 'DELETE' && entity !== undefined) removeEntity(entity, at.store)
      return isRight
    },
  })),
  mutant('create-before-the-credential', 'A POST without a credential gets 401, but creates a message.', correct => {
    let made = 0
    return {
      authenticates: (credential, at) => {
        const isRight = correct.authenticates(credential, at)
        if (isRight || at.request.method !== 'POST' || !at.request.path.endsWith('/messages')) return isRight
        const sent: Json = JSON.parse(at.request.body)
        const sample = [...at.store.entities].findLast(({ owner }) => owner?.relation.name === 'messages')
        if (sample === undefined || !isObject(sent)) return isRight
        const values = { ...sample.values, ...sent, id: `unsigned-${made++}` }
        const entity = createEntity(sample.type, values, sample.owner)
        at.store.entities.add(entity)
        const { related } = sample.owner?.entity ?? entity
        related.set('messages', [...(related.get('messages') ?? []), entity])
        return isRight
      },
    }
  }),
  mutant('update-before-the-credential', 'A PATCH without a credential gets 401, but changes the item.', correct => ({
    authenticates: (credential, at) => {
      const isRight = correct.authenticates(credential, at)
      const key = decodeURIComponent(at.request.path.split('/').at(-1) ?? '')
      const entity = [...at.store.entities].find(({ values }) => values['id'] === key)
      const changes: Json = !isRight && at.request.method === 'PATCH' ? JSON.parse(at.request.body) : null
      if (entity !== undefined && isObject(changes)) entity.values = { ...entity.values, ...changes }
      return isRight
    },
  })),
  mutant('delete-reaches-next', 'DELETE also removes the next item.', correct => ({
    commit: (change, at) => {
      const owned = change.entity.owner?.entity.related.get(change.entity.owner.relation.name) ?? []
      const next = owned[owned.indexOf(change.entity) + 1]
      correct.commit(change, at)
      if (change.kind === 'delete' && next !== undefined) correct.commit({ kind: 'delete', entity: next }, at)
    },
  })),
  mutant('create-loses-a-value', 'A create loses a value.', correct => ({
    create: (values, at) => {
      const type = at.endpoint.kind === 'create' ? at.endpoint.type : undefined
      const lost = type?.properties.find(
        ({ name, nullable, computed }) => nullable && !computed && isFree(name, values),
      )
      return correct.create(lost === undefined ? values : { ...values, [lost.name]: null }, at)
    },
  })),
  mutant('create-answers-without-key', 'The response to a create has no key.', () =>
    changeBody((body, at) => {
      const type = at.endpoint?.kind === 'create' ? at.endpoint.type : undefined
      return Object.fromEntries(Object.entries(body).filter(([name]) => !type?.key.some(key => key.name === name)))
    }),
  ),
  libraryMutant('create-without-location', 'The response to a create does not name the address of the item.', () => ({
    reply: reply => {
      const { Location: _, ...headers } = reply.headers
      return { ...reply, headers }
    },
  })),
  mutant('location-of-collection', 'Location names the collection instead of the new item.', () => ({
    reply: (reply, at) => {
      const { Location: location } = reply.headers
      const isCreate = location !== undefined && at.request.method === 'POST' && reply.status === 201
      return isCreate ? { ...reply, headers: { ...reply.headers, Location: at.request.root + at.request.path } } : reply
    },
  })),
  mutant('create-answers-key-only', 'The response to a create is the item with its key only.', () =>
    changeBody((body, at, { status }) => {
      const type = at.endpoint?.kind === 'create' && status < 300 ? at.endpoint.type : undefined
      if (type === undefined) return body
      return Object.fromEntries(Object.entries(body).filter(([name]) => type.key.some(key => key.name === name)))
    }),
  ),
  mutant('create-joins-lines', 'A create stores blanks for the line breaks inside complex values.', correct => ({
    create: (values, at) =>
      correct.create(
        mapInner(values, text => text.replaceAll(/\s*\n\s*/g, ' ')),
        at,
      ),
  })),
  mutant('create-keeps-first-line', 'A create stores only the first line of texts inside complex values.', correct => ({
    create: (values, at) =>
      correct.create(
        mapInner(values, text => text.replace(/\n.*/s, '')),
        at,
      ),
  })),
  mutant(
    'create-cuts-long-texts',
    'A create stores 4,096 characters of longer texts inside complex values.',
    correct => ({
      create: (values, at) =>
        correct.create(
          mapInner(values, text => text.slice(0, 4096)),
          at,
        ),
    }),
  ),
  mutant('create-not-kept', 'A create returns the item but does not store it.', correct => ({
    commit: (change, at) => {
      if (change.kind !== 'create') correct.commit(change, at)
    },
  })),
  mutant('create-without-defaults', 'A create stores null instead of default values.', correct => ({
    create: (values, at) => {
      const type = at.endpoint.kind === 'create' ? at.endpoint.type : undefined
      const body = sentNames(at.request.body)
      const cleared = (type?.properties ?? [])
        .filter(({ name, default: given }) => given !== undefined && !body.has(name))
        .map(({ name }) => [name, null])
      return correct.create({ ...values, ...Object.fromEntries(cleared) }, at)
    },
  })),
  mutant('create-turns-plus-into-space', 'A create stores a space for each plus.', correct => ({
    create: (values, at) =>
      correct.create(
        mapTexts(values, ['id'], text => text.replaceAll('+', ' ')),
        at,
      ),
  })),
  mutant('create-decodes-percent', 'A create decodes what looks percent-encoded.', correct => ({
    create: (values, at) =>
      correct.create(
        mapTexts(values, ['id'], text =>
          text.replaceAll(/%([2-7][\dA-F])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
        ),
        at,
      ),
  })),
  mutant('create-escapes', 'A create stores strings HTML-escaped.', correct => ({
    create: (values, at) =>
      correct.create(
        mapTexts(values, ['id'], text => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
        at,
      ),
  })),
  mutant('create-mangles-unicode', 'A create stores non-ASCII characters as question marks.', correct => ({
    create: (values, at) =>
      correct.create(
        mapTexts(values, ['id'], text => text.replaceAll(/[^\0-\x7F]/g, '?')),
        at,
      ),
  })),
  mutant('create-loses-emoji', 'A create loses characters beyond 16 bits.', correct => ({
    create: (values, at) =>
      correct.create(
        mapTexts(values, ['id'], text => text.replaceAll(/[\u{10000}-\u{10FFFF}]/gu, '')),
        at,
      ),
  })),
  ...(
    [
      ['length', 'Texts of any length are accepted.', { minLength: 0, maxLength: 100_000 }],
      ['pattern', 'Patterns are not checked.', { pattern: '' }],
      ['range', 'Numbers beyond their range are accepted.', { minimum: -1e9, maximum: 1e9 }],
      ['items', 'Lists with too many items are accepted.', { maxItems: 1_000 }],
    ] as const
  ).map(([name, statement, facets]) =>
    libraryMutant(`create-ignores-${name}`, statement, correct => ({
      valueProblem: (value, property, at) => correct.valueProblem(value, withoutFacets(property, facets), at),
    })),
  ),
  libraryMutant('create-accepts-null', 'Null is stored in properties that are not nullable.', correct => ({
    valueProblem: (value, property, at) => (value === null ? undefined : correct.valueProblem(value, property, at)),
  })),
  libraryMutant('create-accepts-members', 'Unknown members of enumerations are stored.', correct => ({
    valueProblem: (value, property, at) =>
      property.type.kind === 'enumType' && typeof value === 'string'
        ? undefined
        : correct.valueProblem(value, property, at),
  })),
  libraryMutant('stamp-never-changes', 'The time of the last change stays as it was at the creation.', correct => ({
    commit: (change, at) => correct.commit(change.kind === 'update' ? withStamp(change, 'changed') : change, at),
  })),
  libraryMutant('created-stamp-changes', 'The time of the creation is set by updates, too.', renewing),
  mutant('received-time-changes', 'The time at which a message was received is set by updates, too.', renewing),
  mutant('create-lowercases', 'A create stores nicknames in lower case.', correct => ({
    create: (values, at) =>
      correct.create(
        Object.fromEntries(
          Object.entries(values).map(([name, value]) => [
            name,
            typeof value === 'string' && /mail/i.test(name) ? value.toLowerCase() : value,
          ]),
        ),
        at,
      ),
  })),
  mutant('create-trims', 'A create trims strings.', correct => ({
    create: (values, at) =>
      correct.create(
        mapTexts(values, ['id'], text => text.trim()),
        at,
      ),
  })),
  mutant('create-ignores-nested', 'A create loses complex values.', correct => ({
    create: (values, at) => {
      const flat = Object.entries(values).map(([name, value]) => [name, isObject(value) ? null : value])
      return correct.create(Object.fromEntries(flat), at)
    },
  })),
  mutant('create-shares-complex-values', 'A new item without a complex value has that of the one before.', correct => {
    const last = new Map<string, Json>()
    return {
      create: (values, at) => {
        const shared = Object.entries(values).map(([name, value]) => [name, value ?? last.get(name) ?? null] as const)
        for (const [name, value] of shared) if (isObject(value)) last.set(name, value)
        return correct.create(Object.fromEntries(shared), at)
      },
    }
  }),
  mutant('create-answers-with-taken-key', 'The response to a create has the key of an existing item.', correct => ({
    reply: (reply, at) => {
      const { json } = reply
      const type = at.endpoint?.kind === 'create' ? at.endpoint.type : undefined
      const old = [...at.store.entities].find(each => each.type === type)
      const isCreated = reply.status === 201 && isObject(json)
      const key = old?.values['id']
      return correct.reply(isCreated && key !== undefined ? { ...reply, json: { ...json, id: key } } : reply, at)
    },
  })),
  mutant('create-twice', 'A create stores two items.', correct => ({
    commit: (change, at) => {
      correct.commit(change, at)
      if (change.kind !== 'create') return
      const { type, values, owner } = change.entity
      correct.commit(
        { kind: 'create', entity: createEntity(type, { ...values, id: `${values['id']}-copy` }, owner) },
        at,
      )
    },
  })),
  mutant('create-loses-second-element', 'A create stores only the first element of collections.', correct => ({
    create: (values, at) =>
      correct.create(
        mapValues(values, each => (Array.isArray(each) ? each.slice(0, 1) : each)),
        at,
      ),
  })),
  mutant('create-false-is-missing', 'A create takes false as missing and stores true.', correct => ({
    create: (values, at) =>
      correct.create(
        mapValues(values, each => (each === false ? true : each)),
        at,
      ),
  })),
  mutant('create-empty-is-null', 'A create stores null for empty strings inside complex values.', correct => ({
    create: (values, at) => {
      const cleared = (each: Json): Json =>
        isObject(each) ? { ...mapValues(each, inner => (inner === '' ? null : inner)) } : each
      return correct.create(mapValues(values, cleared), at)
    },
  })),
  libraryMutant('patch-replaces-complex', 'PATCH replaces complex values instead of merging them.', correct => ({
    merge: (old, changes, row, at) => {
      const bare = Object.entries(old).map(([name, value]) => [name, isObject(changes[name] ?? null) ? null : value])
      return correct.merge(Object.fromEntries(bare), changes, row, at)
    },
  })),
  mutant('patch-applies-defaults', 'PATCH resets omitted properties to their defaults.', correct => ({
    merge: (old, changes, row, at) => {
      const initial = row.type.properties.flatMap(({ name, default: given }) =>
        given === undefined ? [] : [[name, given]],
      )
      return correct.merge({ ...old, ...Object.fromEntries(initial) }, changes, row, at)
    },
  })),
  mutant('deleted-stays-in-filters', 'A deleted item stays in filtered lists.', correct => {
    const keep = deletedItems(correct)
    return { commit: keep.commit, filter: (rows, test, at) => correct.filter([...rows, ...keep.at(at)], test, at) }
  }),
  mutant('deleted-stays-in-counts', 'A deleted item stays in counts.', correct => {
    const keep = deletedItems(correct)
    return {
      commit: keep.commit,
      count: (matching, page, at) => {
        const { filter } = at.options
        const kept = keep
          .at(at)
          .filter(row => filter === undefined || correct.satisfiesFilter(row, filter, new Map(), at))
        return correct.count([...matching, ...kept], page, at)
      },
    }
  }),
  mutant('delete-without-effect', 'A delete succeeds without removing the item.', correct => ({
    commit: (change, at) => {
      if (change.kind !== 'delete') correct.commit(change, at)
    },
  })),
  mutant('deleted-stays-in-lists', 'A deleted item stays in lists.', correct => keepingDeleted(correct, () => true)),
  mutant('deleted-stays-in-searches', '$search finds deleted items.', correct =>
    keepingDeleted(correct, ({ request }) => decodeURIComponent(request.query).includes('$search=')),
  ),
  mutant('new-missing-in-searches', '$search does not find new items.', correct => {
    const created = new Set<Entity>()
    return {
      commit: (change, at) => {
        if (change.kind === 'create') created.add(change.entity)
        correct.commit(change, at)
      },
      search: (search, row, at) => !created.has(row) && correct.search(search, row, at),
    }
  }),
  mutant('changed-stale-in-searches', '$search looks for the words that items had before an update.', correct => {
    const before = new Map<Entity, Entity['values']>()
    return {
      commit: (change, at) => {
        if (change.kind === 'update' && !before.has(change.entity)) before.set(change.entity, change.entity.values)
        correct.commit(change, at)
      },
      search: (search, row, at) => correct.search(search, { ...row, values: before.get(row) ?? row.values }, at),
    }
  }),
  mutant('patch-restores-deleted', 'PATCH of a deleted item succeeds and brings it back.', correct => {
    const deleted = new Map<string, Entity>()
    return {
      commit: (change, at) => {
        if (change.kind === 'delete') deleted.set(at.request.path, change.entity)
        correct.commit(change, at)
      },
      error: (error, message, at) => {
        const entity = deleted.get(at.request.path)
        const isPatch = error === at.service.faults.itemNotFound && at.request.method === 'PATCH'
        if (entity === undefined || !isPatch) return correct.error(error, message, at)
        at.store.entities.add(entity)
        const { owner } = entity
        const others = owner?.entity.related.get(owner.relation.name) ?? []
        owner?.entity.related.set(owner.relation.name, [...others, entity])
        return { status: 200, headers: {}, json: { ...entity.values } }
      },
    }
  }),
  mutant('delete-answers-not-found', 'A delete removes the item and gets 404.', correct => ({
    reply: (reply, at) => {
      const { itemNotFound } = at.service.faults
      return at.request.method === 'DELETE' && reply.status < 300
        ? correct.error(itemNotFound, itemNotFound.message, at)
        : correct.reply(reply, at)
    },
  })),
  mutant('patch-refused-but-applied', 'PATCH changes the item and gets 400.', correct => ({
    reply: (reply, at) => {
      const { invalidBody } = at.service.faults
      return at.request.method === 'PATCH' && reply.status < 300
        ? correct.error(invalidBody, invalidBody.message, at)
        : correct.reply(reply, at)
    },
  })),
  mutant('delete-of-unknown-succeeds', 'Deleting an item that does not exist succeeds.', correct => ({
    error: (error, message, at) =>
      error === at.service.faults.itemNotFound && at.endpoint?.kind === 'delete'
        ? { status: 204, headers: {} }
        : correct.error(error, message, at),
  })),
  mutant('patch-of-unknown-succeeds', 'Updating an item that does not exist succeeds.', correct => ({
    error: (error, message, at) =>
      error === at.service.faults.itemNotFound && at.endpoint?.kind === 'update'
        ? { status: 200, headers: {}, json: {} }
        : correct.error(error, message, at),
  })),
  mutant('invalid-body-crashes', 'An invalid body causes an internal error.', correct => ({
    error: (error, message, at) =>
      error === at.service.faults.invalidBody
        ? correct.error(at.service.faults.internalError, message, at)
        : correct.error(error, message, at),
  })),
  mutant('conflict-crashes', 'A uniqueness conflict causes an internal error.', correct => ({
    error: (error, message, at) =>
      correct.error(error === at.service.faults.conflict ? at.service.faults.internalError : error, message, at),
  })),
  mutant('malformed-body-crashes', 'A malformed body causes an internal error.', correct => ({
    error: (error, message, at) =>
      error === at.service.faults.malformedBody
        ? correct.error(at.service.faults.internalError, message, at)
        : correct.error(error, message, at),
  })),
  mutant('invalid-body-accepted', 'An invalid body succeeds.', correct => ({
    error: (error, message, at) =>
      error === at.service.faults.invalidBody
        ? { status: 200, headers: {}, json: {} }
        : correct.error(error, message, at),
  })),
  mutant('incomplete-json-accepted', 'A create with incomplete JSON succeeds.', correct => ({
    error: (error, message, at) =>
      error === at.service.faults.malformedBody && at.request.method === 'POST'
        ? { status: 201, headers: {}, json: {} }
        : correct.error(error, message, at),
  })),
  libraryMutant('patch-drops-other-type', 'PATCH drops the properties of another type silently.', correct => ({
    error: (error, message, at) =>
      at.request.method === 'PATCH' && at.request.body.includes('@odata.type')
        ? { status: 204, headers: {} }
        : correct.error(error, message, at),
  })),
  mutant('second-create-crashes', 'Every second create causes an internal error.', correct => {
    let count = 0
    return {
      create: (values, at) => {
        count++
        if (count % 2 === 0) throw new ServiceCrash()
        return correct.create(values, at)
      },
    }
  }),
  libraryMutant('put-merges', 'PUT keeps omitted properties.', correct => ({
    commit: (change, at) => {
      if (change.kind !== 'update' || at.endpoint.kind !== 'replace') {
        correct.commit(change, at)
        return
      }
      const sent = sentNames(at.request.body)
      const merged = Object.entries(change.values).map(([name, value]) => [
        name,
        sent.has(name) ? value : (change.entity.values[name] ?? null),
      ])
      correct.commit({ ...change, values: Object.fromEntries(merged) }, at)
    },
  })),
  libraryMutant(
    'upsert-not-found',
    'An update of an item that does not exist gets 404, although it should create it.',
    () => ({ upserts: () => false }),
  ),
  libraryMutant(
    'upsert-not-by-alternate-key',
    'An update of an item by an alternate key that no item has gets 404, although it should create the item.',
    correct => ({
      upserts: at => at.endpoint.resolved.at(-1)?.kind !== 'alternateKey' && correct.upserts(at),
    }),
  ),
  libraryMutant(
    'upsert-without-alternate-key',
    'An update by an alternate key creates an item with another value of it.',
    correct => ({
      create: (values, at) => {
        const last = at.endpoint.resolved.at(-1)
        const [property] = last?.kind === 'alternateKey' ? last.properties : []
        const other = property === undefined ? {} : { [property.name]: '00000000' }
        return correct.create({ ...values, ...other }, at)
      },
    }),
  ),
  libraryMutant('upsert-despite-if-match', 'An update with If-Match creates an item that does not exist.', () => ({
    upserts: () => true,
  })),
  libraryMutant('upsert-changes-existing', 'An update ignores If-None-Match: *.', correct => ({
    header: (name, at) => {
      const condition = correct.header(name, at)
      const isUpdate = at.endpoint.kind === 'update' || at.endpoint.kind === 'replace'
      if (!isUpdate || at.target.kind !== 'one') return condition
      if (name === 'If-None-Match') return null
      return condition ?? correct.header('If-None-Match', at)
    },
  })),
  libraryMutant('upsert-not-kept', 'An update that creates an item returns it but does not store it.', correct => ({
    commit: (change, at) => {
      if (change.kind !== 'create' || at.endpoint.kind === 'create') correct.commit(change, at)
    },
  })),
  libraryMutant('upsert-loses-a-value', 'An update that creates an item loses a value.', correct => ({
    create: (values, at) => {
      const type = at.endpoint.kind === 'update' || at.endpoint.kind === 'replace' ? at.endpoint.type : undefined
      const lost = type?.properties.find(({ name, nullable }) => nullable && isFree(name, values))
      return correct.create(lost === undefined ? values : { ...values, [lost.name]: null }, at)
    },
  })),
  libraryMutant('upsert-is-200', 'An update that creates an item gets 200.', () => ({
    reply: (reply, at) => (reply.status === 201 && at.request.method !== 'POST' ? { ...reply, status: 200 } : reply),
  })),
  libraryMutant('upsert-without-location', 'The 201 of an update does not name the address of the item.', () => ({
    reply: (reply, at) => {
      const { Location: _, ...headers } = reply.headers
      return at.request.method === 'POST' ? reply : { ...reply, headers }
    },
  })),
  libraryMutant('bind-ignored', 'A create ignores the links in its body.', () => ({ bound: () => [] })),
  libraryMutant('bind-first-only', 'A create follows only the first of several links.', () => ({
    bound: targets => targets.slice(0, 1),
  })),
  libraryMutant('reference-not-added', 'Adding a reference has no effect.', correct => ({
    changeReference: (change, ...at) => {
      if (change.kind !== 'add') correct.changeReference(change, ...at)
    },
  })),
  libraryMutant('reference-replaces', 'Adding a reference removes the others.', correct => ({
    changeReference: (change, ...at) => {
      correct.changeReference(change.kind === 'add' ? { ...change, kind: 'set' } : change, ...at)
    },
  })),
  libraryMutant('reference-removes-all', 'Removing a reference removes the others, too.', correct => ({
    changeReference: (change, ...at) => {
      correct.changeReference(change.kind === 'remove' ? { kind: 'remove', target: undefined } : change, ...at)
    },
  })),
  libraryMutant('reference-behind-cast-lost', 'Changing a reference behind a cast has no effect.', correct => ({
    changeReference: (change, owner, relation, at) => {
      if (!/\/[^/]+\.[^/]+\/[^/]+\/\$ref$/.test(at.request.path)) correct.changeReference(change, owner, relation, at)
    },
  })),
  libraryMutant(
    'reference-cast-unchecked',
    'A reference behind a cast is added to items that are not of the type.',
    correct => ({
      castKeeps: (type, cast, at) => at.request.path.endsWith('/$ref') || correct.castKeeps(type, cast, at),
    }),
  ),
  libraryMutant(
    'reference-by-alternate-key-lost',
    'Changing a reference of an item by its alternate key has no effect.',
    correct => ({
      changeReference: (change, owner, relation, at) => {
        const isByKey = at.endpoint.resolved.at(-1)?.kind !== 'alternateKey'
        if (isByKey) correct.changeReference(change, owner, relation, at)
      },
    }),
  ),
  libraryMutant('link-by-alternate-key-lost', 'A link to an item by its alternate key has no effect.', correct => ({
    changeReference: (change, owner, relation, at) => {
      if (!linksByAlternateKey(at)) correct.changeReference(change, owner, relation, at)
    },
    bound: (targets, _relation, at) => (linksByAlternateKey(at) ? [] : targets),
  })),
  libraryMutant('deep-update-ignored', 'An update ignores the items in its body.', () => ({
    containedChange: change => ({ ...change, items: [], removed: [] }),
  })),
  libraryMutant('deep-update-put-ignored', 'A PUT ignores the items in its body.', () => ({
    containedChange: (change, _isDelta, at) =>
      at.endpoint.kind === 'replace' ? { ...change, items: [], removed: [] } : change,
  })),
  libraryMutant('deep-update-only-adds', 'A list of contained items in an update adds to those that exist.', () => ({
    containedChange: (change, isDelta) => (isDelta ? change : { ...change, removed: [] }),
  })),
  libraryMutant('deep-update-keeps-removed', 'A delta in an update removes nothing.', () => ({
    containedChange: (change, isDelta) => (isDelta ? { ...change, removed: [] } : change),
  })),
  libraryMutant('deep-update-delta-replaces', 'A delta in an update removes the items that it does not name.', () => ({
    containedChange: (change, isDelta, at) => {
      if (!isDelta || at.target.kind !== 'one') return change
      return { ...change, removed: at.target.row.related.get(change.relation.name) ?? [] }
    },
  })),
  libraryMutant('deep-update-links-only-add', 'A list of links in an update adds to those that exist.', () => ({
    linkedChange: (change, isDelta) => (isDelta ? change : { ...change, removed: [] }),
  })),
  libraryMutant('deep-update-keeps-links', 'A delta in an update unlinks nothing.', () => ({
    linkedChange: (change, isDelta) => (isDelta ? { ...change, removed: [] } : change),
  })),
  libraryMutant('deep-update-links-first-only', 'An update links only the first of several items.', () => ({
    linkedChange: change => ({ ...change, added: change.added.slice(0, 1) }),
  })),
  libraryMutant('deep-insert-ignored', 'A create ignores the items in its body.', () => ({ inserted: () => [] })),
  libraryMutant('deep-insert-links-ignored', 'A create ignores the links in the lists of its body.', () => ({
    insertedLinks: () => [],
  })),
  libraryMutant('deep-insert-links-first-only', 'A create follows only the first of several links in a list.', () => ({
    insertedLinks: targets => targets.slice(0, 1),
  })),
  libraryMutant('deep-insert-first-only', 'A create makes only the first of several items in its body.', () => ({
    inserted: items => items.slice(0, 1),
  })),
  libraryMutant('duplicate-key-accepted', 'A create with an existing key succeeds.', correct => ({
    error: (error, message, at) =>
      error === at.service.faults.conflict ? { status: 201, headers: {}, json: {} } : correct.error(error, message, at),
  })),
  libraryMutant('stream-cut-short', 'The last byte of a stream is lost.', () => ({
    storedStream: given => ('status' in given ? given : { ...given, text: given.text.slice(0, -1) }),
  })),
  libraryMutant('stream-never-replaced', 'A stream that is stored again stays as it was.', () => ({
    storedStream: (given, before) => before ?? given,
  })),
]

/** Updates set the time of creation. */
function renewing(correct: Behaviour): Partial<Behaviour> {
  return {
    commit: (change, at) => {
      if (change.kind !== 'update') return correct.commit(change, at)
      const names = change.entity.type.properties.filter(({ stamp }) => stamp === 'created').map(({ name }) => name)
      const now = new Date().toISOString()
      const values = { ...change.values, ...Object.fromEntries(names.map(name => [name, now])) }
      correct.commit({ ...change, values }, at)
    },
  }
}

/** Remembers deleted items for the collections that they were in. */
function deletedItems(correct: Behaviour): {
  readonly commit: Behaviour['commit']
  readonly at: (at: EndpointContext) => readonly Entity[]
} {
  const deleted: { readonly path: string; readonly entity: Entity }[] = []
  return {
    commit: (change, at) => {
      if (change.kind === 'delete') {
        deleted.push({ path: at.request.path.replace(/\/[^/]*$/, ''), entity: { ...change.entity } })
      }
      correct.commit(change, at)
    },
    at: ({ request, endpoint }) =>
      endpoint.kind === 'collection'
        ? deleted.filter(({ path }) => path === request.path).map(({ entity }) => entity)
        : [],
  }
}

/** Lists that keep deleted items for some requests. */
function keepingDeleted(correct: Behaviour, keeps: (at: EndpointContext) => boolean): Partial<Behaviour> {
  const deleted: { readonly relation: string; readonly entity: Entity }[] = []
  return {
    commit: (change, at) => {
      if (change.kind === 'delete' && change.entity.owner !== undefined) {
        deleted.push({ relation: change.entity.owner.relation.name, entity: change.entity })
      }
      correct.commit(change, at)
    },
    related: (row, relation, at) => {
      const left = deleted.filter(each => each.relation === relation.name && each.entity.owner?.entity === row)
      const rows = correct.related(row, relation, at)
      return at.endpoint.kind === 'collection' && keeps(at) ? [...rows, ...left.map(({ entity }) => entity)] : rows
    },
  }
}

/** Changes each string inside complex values. */
function mapInner(values: Values, change: (text: string) => string): Values {
  return mapValues(values, each => (isObject(each) ? { ...mapTexts(each, [], change) } : each))
}

function mapValues(values: Values, change: (value: Json) => Json): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}

function keyOf(values: Values): Values {
  return 'id' in values ? { id: values['id'] ?? null } : {}
}

function linksByAlternateKey({ request }: EndpointContext): boolean {
  return /\(\w+=/.test(request.body)
}

function sentNames(body: string): ReadonlySet<string> {
  const json: Json = JSON.parse(body)
  return new Set(isObject(json) ? Object.keys(json) : [])
}
