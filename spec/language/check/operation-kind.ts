import type { Rule } from './rule.js'

/**
 * A function returns something, and only a function can be composed.
 *
 * @see OData CSDL 4.01, 12.3 (function) and 12.5 (composable function)
 */
export const operationKind: Rule = ({ service, report, isIncomplete }) => {
  for (const { kind, name, returns, composable, place } of service.operations) {
    if (kind === 'function' && returns === undefined && !isIncomplete(`${place.pointer}/returns`)) {
      const message = `The function "${name}" returns nothing. Say what it \`returns\`, or make it an action.`
      report({ code: 'spec/function-returns', message, at: place.pointer, on: 'key' })
    }
    if (kind === 'action' && composable) {
      const message = `"${name}" is an action, so nothing can follow it. Remove \`composable\`.`
      report({ code: 'spec/composable-action', message, at: `${place.pointer}/composable`, on: 'key' })
    }
  }
}
