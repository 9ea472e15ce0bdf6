import type { Check } from './check.js'

/** An endpoint declares no larger query than the limits of the service allow. */
export const queryLimits: Check = ({ service, report }) => {
  const { filterNodes, orderbyItems } = service.limits
  for (const { filter, orderby, location } of service.queryCapabilities) {
    const declared = [
      { option: 'filter', member: 'maxNodes', size: filter.maxNodes, limit: 'filterNodes', most: filterNodes },
      { option: 'orderby', member: 'maxKeys', size: orderby.maxKeys, limit: 'orderbyItems', most: orderbyItems },
    ]
    for (const { option, member, size, limit, most } of declared) {
      if (size === undefined || most === undefined || size <= most) continue
      const message = `\`${member}\` is ${size}, more than the service's \`${limit}\`, which is ${most}.`
      const related = [{ message: `\`${limit}\` is here`, at: `/limits/${limit}`, on: 'key' as const }]
      report({ code: 'spec/query-limit', message, at: `${location.pointer}/${option}/${member}`, related })
    }
  }
}
