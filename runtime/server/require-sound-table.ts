import { isStatus } from './response/is-sendable.js'
import type { ServiceTable } from './service-table.js'

/** Holds a table to what types cannot say. Throws a `TypeError` that names the first contradiction. */
export function requireSoundTable(table: ServiceTable): void {
  for (const { status, code } of [...Object.values(table.errors), ...Object.values(table.faults)]) {
    requireStatus(code, status)
  }
  for (const route of table.routes) {
    requireStatus(route.name, route.status)
    const conditions = route.query?.requires.map(condition => condition.otherwise) ?? []
    for (const error of [...route.errors, ...conditions]) {
      if (!Object.hasOwn(table.errors, error)) {
        throw new TypeError(`${route.name} names the error ${error}, which the table lacks.`)
      }
    }
  }
}

function requireStatus(name: string, status: number): void {
  if (!isStatus(status)) throw new TypeError(`${name} has the status ${status}, which no response can have.`)
}
