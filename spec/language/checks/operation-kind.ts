import type { Check } from './check.js'

/**
 * A function returns something, and only a function can be composed.
 *
 * @see OData CSDL 4.01, 12.3 (function) and 12.5 (composable function)
 */
export const operationKind: Check = ({ service, report, isIncomplete }) => {
  for (const { kind, name, returns, composable, location } of service.operations) {
    if (kind === 'function' && returns === undefined && !isIncomplete(`${location.pointer}/returns`)) {
      const message = `The function "${name}" returns nothing. Say what it \`returns\`, or make it an action.`
      report({ code: 'spec/function-returns', message, at: location.pointer, on: 'key' })
    }
    if (kind === 'action' && composable) {
      const message = `"${name}" is an action, so nothing can follow it. Remove \`composable\`.`
      report({ code: 'spec/composable-action', message, at: `${location.pointer}/composable`, on: 'key' })
    }
  }
}
