import type { EntityType } from '../../../spec/language/index.js'
import type { EndpointContext } from '../service/behaviour.js'
import type { Json } from '../service/json.js'
import { createEntity, type Entity } from '../service/store.js'
import { type Mutant, mutantsIn } from './mutant.js'

const filterMutant = mutantsIn('filter', 'library')
const itemsMutant = mutantsIn('items', 'library')
const selectMutant = mutantsIn('select', 'library')
const writingMutant = mutantsIn('writing', 'library')

type Values = Readonly<Record<string, Json>>

/** The type that an endpoint declares. */
const declaredType = ({ endpoint }: EndpointContext): EntityType | undefined =>
  endpoint.kind === 'call' ? undefined : endpoint.type

/** Whether only a derived type has a property. */
function isOwn(name: string, at: EndpointContext): boolean {
  return declaredType(at)?.properties.some(each => each.name === name) === false
}

const withoutOwn = <Value>(values: Readonly<Record<string, Value>>, at: EndpointContext) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => name.includes('@') || !isOwn(name, at)))

const withOwnNull = (values: Values, at: EndpointContext): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isOwn(name, at) ? null : value]))

const isDerived = ({ type }: Entity, at: EndpointContext): boolean =>
  at.endpoint.kind === 'collection' && type !== at.endpoint.type && type.base === at.endpoint.type

/** Faults with items of derived types. */
export const derivedTypesMutants: readonly Mutant[] = [
  selectMutant('list-without-types', 'Items of derived types do not name their type in lists.', correct => ({
    item: (item, row, at) => {
      const { '@odata.type': _, ...others } = correct.item(item, row, at)
      return at.endpoint.kind === 'collection' ? others : correct.item(item, row, at)
    },
  })),
  itemsMutant('cast-path-of-all', 'The path of a derived type lists all items of the collection.', correct => ({
    castKeeps: (type, cast, at) => at.endpoint.kind === 'collection' || correct.castKeeps(type, cast, at),
  })),
  itemsMutant('cast-path-empty', 'The path of a derived type lists nothing.', correct => ({
    castKeeps: (type, cast, at) => at.endpoint.resolved.at(-1)?.kind !== 'cast' && correct.castKeeps(type, cast, at),
  })),
  itemsMutant('cast-property-null', 'The property of a derived type is null in a path with a cast.', correct => ({
    propertyValue: (value, at) => (at.request.path.includes('/library.') ? null : correct.propertyValue(value, at)),
  })),
  filterMutant(
    'cast-without-check',
    'A cast in a filter does not check the type: values that an item lacks are empty texts.',
    correct => ({
      readProperty: (value, name, env) => correct.readProperty(value, name, env) ?? (isOwn(name, env.at) ? '' : null),
      castKeeps: () => true,
    }),
  ),
  filterMutant('cast-never-keeps', 'A cast in a filter is always null.', correct => ({
    castKeeps: (type, cast, at) => at.options.filter === undefined && correct.castKeeps(type, cast, at),
  })),
  writingMutant(
    'derived-stored-as-base',
    'A create stores an item of a derived type as one of the base type.',
    correct => ({
      commit: (change, at) => {
        const type = declaredType(at)
        if (change.kind !== 'create' || type === undefined || type.abstract) return correct.commit(change, at)
        const { values, owner } = change.entity
        correct.commit({ ...change, entity: createEntity(type, values, owner) }, at)
      },
    }),
  ),
  writingMutant('create-loses-derived', 'A create loses the values that only a derived type has.', correct => ({
    create: (values, at) => correct.create(withoutOwn(values, at), at),
  })),
  writingMutant('patch-loses-derived', 'PATCH ignores the properties that only a derived type has.', correct => ({
    merge: (old, changes, row, at) => correct.merge(old, withoutOwn(changes, at), row, at),
  })),
  writingMutant('patch-clears-derived', 'PATCH clears the omitted properties of a derived type.', correct => ({
    merge: (old, changes, row, at) => correct.merge(withOwnNull(old, at), changes, row, at),
  })),
  writingMutant('patch-makes-base', 'PATCH turns an item of a derived type into one of the base type.', correct => ({
    commit: (change, at) => {
      if (at.request.method === 'PATCH') Object.assign(change.entity, { type: declaredType(at) ?? change.entity.type })
      correct.commit(change, at)
    },
  })),
  writingMutant('put-makes-base', 'PUT turns an item of a derived type into one of the base type.', correct => ({
    commit: (change, at) => {
      if (at.request.method === 'PUT') Object.assign(change.entity, { type: declaredType(at) ?? change.entity.type })
      correct.commit(change, at)
    },
  })),
  writingMutant('put-clears-derived', 'PUT ignores the properties that only a derived type has.', correct => ({
    commit: (change, at) => {
      const isPut = change.kind === 'update' && at.request.method === 'PUT'
      correct.commit(isPut ? { ...change, values: withOwnNull(change.values, at) } : change, at)
    },
  })),
  writingMutant('list-without-derived', 'Lists do not contain items of derived types.', correct => ({
    sortRows: (rows, keys, at) =>
      correct.sortRows(
        rows.filter(row => !isDerived(row, at)),
        keys,
        at,
      ),
  })),
  writingMutant('list-shows-base', 'Lists show items of derived types as items of the base type.', correct => ({
    item: (item, row, at) => {
      const { '@odata.type': _, ...others } = item
      return correct.item(isDerived(row, at) ? withoutOwn(others, at) : item, row, at)
    },
  })),
]
