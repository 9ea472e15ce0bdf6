import { structuredTypes } from '../model/service.js'
import { derivesFrom } from '../model/types.js'
import type { Check } from './check.js'

/**
 * Partners lead to each other: the partner's target is the type that the relation starts from, and its partner is the
 * relation.
 *
 * @see OData CSDL 4.01, 8.4 (partner)
 */
export const partnerAgreement: Check = ({ service, report, isIncomplete }) => {
  for (const type of structuredTypes(service)) {
    for (const relation of type.ownNavigation) {
      const { partner, name, location } = relation
      if (partner === undefined) continue
      const at = `${location.pointer}/partner`
      const related = [
        { message: `"${partner.name}" is declared here`, at: partner.location.pointer, on: 'key' as const },
      ]
      if (!derivesFrom(type, partner.type) && !derivesFrom(partner.type, type)) {
        const message = `"${partner.name}" leads to "${partner.type.name}", not back to "${type.name}".`
        report({ code: 'spec/partner-mismatch', message, at, related })
      } else if (partner.partner === undefined && !isIncomplete(`${partner.location.pointer}/partner`)) {
        const message = `"${partner.name}" does not name "${name}" as its partner. Add \`partner: ${name}\` there.`
        report({ code: 'spec/partner-mismatch', message, at, related })
      } else if (partner.partner !== undefined && partner.partner !== relation) {
        const message = `The partner of "${partner.name}" is "${partner.partner.name}", not "${name}".`
        report({ code: 'spec/partner-mismatch', message, at, related })
      }
    }
  }
}
