import { primitiveOf } from '../model/types.js'
import type { Check } from './check.js'

/** `format` applies to String parameters only. */
export const parameterFormats: Check = ({ service, report }) => {
  for (const operation of service.operations) {
    for (const { name, type, format, location } of operation.parameters) {
      if (format === undefined || primitiveOf(type) === 'String') continue
      const message = `\`format\` applies to String only, but "${name}" is of "${type.name}". Remove it.`
      report({ code: 'spec/facet', message, at: `${location.pointer}/format`, on: 'key' })
    }
  }
}
