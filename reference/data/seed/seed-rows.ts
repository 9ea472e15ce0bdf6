import { type EntityType, type Service, suggest } from '../../../spec/language/index.js'
import { derivesFrom } from '../../../spec/language/model/derives-from.js'
import type { SeedRows } from './parse-seed-rows.js'
import { SeedError } from './seed-error.js'

/** An entity set that gets items. */
export interface SeededSet {
  readonly name: string
  readonly type: EntityType
  /** What its items may be: the type itself unless it is abstract, and what derives from it and has no set of its own. */
  readonly types: readonly [EntityType, ...EntityType[]]
  readonly count: number
}

/**
 * The entity sets that get items. A set of a type whose derived types have sets of their own has theirs already.
 *
 * @throws SeedError for a name that is none
 */
export function seededSets(service: Service, rows: SeedRows): readonly SeededSet[] {
  const sets = service.container.filter(element => element.kind === 'entitySet')
  const own = new Set(sets.map(({ type }) => type))
  const seeded = sets.flatMap(({ name, type }) => {
    const isUnion = sets.some(other => other.type !== type && derivesFrom(other.type, type))
    const derived = service.entityTypes.filter(each => each !== type && !own.has(each) && derivesFrom(each, type))
    const [first, ...others] = [...(isUnion ? [] : [type]), ...(isUnion ? [] : derived)].filter(each => !each.abstract)
    return first === undefined
      ? []
      : [{ name, type, types: [first, ...others] as const, count: rows.of.get(name) ?? rows.each }]
  })
  const names = [...seeded.map(({ name }) => name), ...seeded.flatMap(set => containedPaths(set, service))]
  for (const name of rows.of.keys()) {
    if (names.includes(name)) continue
    const meant = suggest(name, names)
    const help = meant === undefined ? `expected one of ${names.join(', ')}` : `did you mean "${meant}"?`
    throw new SeedError(`There are no rows to make for "${name}"; ${help}`)
  }
  return seeded
}

/** All that `--rows` can make an exception for: entity sets, and what is contained in their items. */
export function namesOfRows(service: Service): readonly string[] {
  const seeded = seededSets(service, { each: 0, of: new Map() })
  return [...seeded.map(({ name }) => name), ...seeded.flatMap(set => containedPaths(set, service))]
}

/** `users/messages`, `users/messages/attachments`. */
function containedPaths({ name, types }: SeededSet, service: Service): readonly string[] {
  const below = (path: string, type: EntityType, open: readonly EntityType[]): readonly string[] =>
    type.navigation
      .filter(({ contained }) => contained)
      .flatMap(navigation => {
        const inner = `${path}/${navigation.name}`
        const nested = open.includes(navigation.type) ? [] : below(inner, navigation.type, [...open, navigation.type])
        return navigation.collection ? [inner, ...nested] : nested
      })
  return service.container.some(element => element.name === name)
    ? [...new Set(types.flatMap(type => below(name, type, [type])))]
    : []
}
