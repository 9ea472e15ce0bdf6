import { primitiveOf } from './primitive-of.js'
import type { Rule } from './rule.js'

/** `format` says what the text of a String parameter must be. */
export const parameterFormats: Rule = ({ service, report }) => {
  for (const operation of service.operations) {
    for (const { name, type, format, place } of operation.parameters) {
      if (format === undefined || primitiveOf(type) === 'String') continue
      const message = `\`format\` applies to String only; "${name}" is of "${type.name}". Remove it.`
      report({ code: 'spec/facet', message, at: `${place.pointer}/format`, on: 'key' })
    }
  }
}
