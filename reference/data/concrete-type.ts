import { type EntityType, type Service, suggest } from '../../spec/language/index.js'
import { derivesFrom } from '../../spec/language/model/derives-from.js'
import { pointerTo } from '../../spec/language/source/pointer.js'
import type { DataProblem } from './data-problem.js'

/**
 * The type that an item is of: what `@odata.type` says, or else the declared one. Reports and returns undefined when
 * there can be no item of it.
 */
export function concreteType(
  service: Service,
  declared: EntityType,
  json: Readonly<Record<string, unknown>>,
  at: string,
  report: (problem: DataProblem) => void,
): EntityType | undefined {
  const given = Object.hasOwn(json, '@odata.type') ? json['@odata.type'] : undefined
  const choices = service.entityTypes.filter(type => !type.abstract && derivesFrom(type, declared))
  const names = choices.map(({ name }) => name)
  if (given === undefined) {
    if (!declared.abstract) return declared
    const message = `${declared.name} is abstract; say by "@odata.type" which it is, one of ${names.join(', ')}.`
    report({ code: 'data/abstract-type', message, at })
    return undefined
  }
  const qualified = typeof given === 'string' ? given.replace('#', '') : ''
  const name = qualified.slice(qualified.lastIndexOf('.') + 1)
  const found =
    choices.find(({ qualifiedName }) => qualifiedName === qualified) ?? choices.find(type => type.name === name)
  if (found === undefined) {
    const message = `"@odata.type" must be one of ${names.join(', ')}; found ${JSON.stringify(given)}.`
    const suggestion = suggest(name, names)
    report({ code: 'data/unknown-type', message, at: pointerTo(at, '@odata.type'), suggestion })
  }
  return found
}
