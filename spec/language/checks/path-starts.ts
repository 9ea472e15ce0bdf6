import { unqualified } from '../resolve/operation-overloads.js'
import type { Check } from './check.js'

/** An operation that begins a path does not have the name of an entity set or singleton. */
export const pathStarts: Check = ({ service, report }) => {
  const elements = new Map(service.container.map(element => [element.name, element]))
  for (const operation of service.operations) {
    const element = operation.binding === undefined ? elements.get(unqualified(operation.qualifiedName)) : undefined
    if (element === undefined) continue
    const message = `A path that begins with "${operation.name}" could mean this ${operation.kind} or the ${element.kind === 'entitySet' ? 'entity set' : 'singleton'}. Rename one.`
    const related = [{ message: 'the other one', at: element.location.pointer, on: 'key' as const }]
    report({ code: 'spec/duplicate-path-start', message, at: operation.location.pointer, on: 'key', related })
  }
}
