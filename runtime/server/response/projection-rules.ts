import type { ServiceTable } from '../service-table.js'

/** What is sent where the interface leaves it open, and the service has chosen. */
export interface ProjectionRules {
  /** Whether a property that a row lacks is sent as null, as an item is shown whole, or left out, as among changes. */
  readonly missing: 'null' | 'absent'
  /** What a property is that `$select` leaves out. */
  readonly unselected: 'null' | 'absent'
  /** Whether keys are sent though `$select` leaves them out. */
  readonly keysAlways: boolean
  /** What an expanded single relation is that leads to nothing. */
  readonly emptyRelation: 'null' | 'absent'
}

/** The rules of a service. Changes leave out what their rows lack, and always tell whose they are. */
export function projectionRules(choices: ServiceTable['choices'], changes: boolean): ProjectionRules {
  return {
    missing: changes ? 'absent' : 'null',
    unselected: choices['unselected'] === 'null' ? 'null' : 'absent',
    keysAlways: changes || choices['unselectedKey'] === 'returned',
    emptyRelation: choices['emptyRelation'] === 'absent' ? 'absent' : 'null',
  }
}
