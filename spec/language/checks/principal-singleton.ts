import type { Singleton } from '../model/service.js'
import type { Check } from './check.js'

/** Only a singleton can be the caller's own item, only one can, and only where callers are known. */
export const principalSingleton: Check = ({ document, service, report }) => {
  let first: Singleton | undefined
  for (const element of service.container) {
    const at = `${element.location.pointer}/bound`
    if (element.kind === 'entitySet') {
      if (document.container[element.name]?.bound === undefined) continue
      const message = `"${element.name}" is an entity set. Only a singleton can be \`bound\` to the caller.`
      report({ code: 'spec/principal', message, at, on: 'key' })
    } else if (element.principal) {
      if (service.authentication.scheme === 'none') {
        const message = `"${element.name}" is the item of the caller, but the service has no authentication. Declare \`authentication\`.`
        report({ code: 'spec/principal', message, at, on: 'key' })
      }
      if (first !== undefined) {
        const message = `"${first.name}" is already the item of the caller. Bind only one singleton.`
        const related = [{ message: 'declared here', at: first.location.pointer, on: 'key' as const }]
        report({ code: 'spec/principal', message, at, on: 'key', related })
      }
      first ??= element
    }
  }
}
