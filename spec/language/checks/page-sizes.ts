import type { Check } from './check.js'

/** A page is no larger than the largest one, and `$expand` goes no deeper than the service lets it. */
export const pageSizes: Check = ({ service, report }) => {
  for (const { top, expand, location } of service.queryCapabilities) {
    if (top.default !== undefined && top.max !== undefined && top.default > top.max) {
      const message = `A page has ${top.default} items by default, more than \`max\`, which is ${top.max}.`
      const related = [{ message: '`max` is here', at: `${location.pointer}/top/max`, on: 'key' as const }]
      report({ code: 'spec/page-size', message, at: `${location.pointer}/top/default`, related })
    }
    const { expandDepth } = service.limits
    if (expand.support !== 'none' && expandDepth !== undefined && expand.maxDepth > expandDepth) {
      const message = `\`maxDepth\` is ${expand.maxDepth}, more than the service's \`expandDepth\`, which is ${expandDepth}.`
      const related = [{ message: '`expandDepth` is here', at: '/limits/expandDepth', on: 'key' as const }]
      report({ code: 'spec/expand-depth', message, at: `${location.pointer}/expand/maxDepth`, related })
    }
  }
}

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
