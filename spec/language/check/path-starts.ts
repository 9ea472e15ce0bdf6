import { unqualified } from '../resolve/path/qualified-names.js'
import type { Rule } from './rule.js'

/** An operation that begins a path is not called like an entity set or singleton. */
export const pathStarts: Rule = ({ service, report }) => {
  const elements = new Map(service.container.map(element => [element.name, element]))
  for (const operation of service.operations) {
    const element = operation.binding === undefined ? elements.get(unqualified(operation.qualifiedName)) : undefined
    if (element === undefined) continue
    const message = `A path that begins with "${operation.name}" could mean this ${operation.kind} or the ${element.kind === 'entitySet' ? 'entity set' : 'singleton'}. Rename one.`
    const related = [{ message: 'the other one', at: element.place.pointer, on: 'key' as const }]
    report({ code: 'spec/duplicate-path-start', message, at: operation.place.pointer, on: 'key', related })
  }
}
