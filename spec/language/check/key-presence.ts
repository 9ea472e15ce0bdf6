import type { Rule } from './rule.js'

/**
 * An entity type that is not abstract has a key, its own or an inherited one, and only one of a line of types says so.
 *
 * @see OData CSDL 4.01, 6.5 (key)
 */
export const keyPresence: Rule = ({ document, service, report, isIncomplete }) => {
  for (const type of service.entityTypes) {
    const { pointer } = type.place
    const written = document.resources[type.name]
    const ownKey = written !== undefined && 'key' in written && written.key !== undefined
    if (
      type.key.length === 0 &&
      !type.abstract &&
      !isIncomplete(`${pointer}/key`) &&
      !isIncomplete(`${pointer}/base`)
    ) {
      const message = `The entity type "${type.name}" has no key. Name its key properties under \`key\`, or make it \`abstract\`.`
      report({ code: 'spec/key-missing', message, at: pointer, on: 'key' })
    }
    if (ownKey && type.base !== undefined && type.base.key.length > 0) {
      const message = `"${type.name}" inherits the key of "${type.base.name}" and cannot have another. Remove \`key\`.`
      report({ code: 'spec/key-redefined', message, at: `${pointer}/key`, on: 'key' })
    }
  }
}
