import type { Rule } from './rule.js'

/** A page is no larger than the largest one, and `$expand` goes no deeper than the service lets it. */
export const pageSizes: Rule = ({ service, report }) => {
  for (const { top, expand, place } of service.queryCapabilities) {
    if (top.default !== undefined && top.max !== undefined && top.default > top.max) {
      const message = `A page has ${top.default} items by default, more than \`max\`, ${top.max}.`
      const related = [{ message: '`max` is here', at: `${place.pointer}/top/max`, on: 'key' as const }]
      report({ code: 'spec/page-size', message, at: `${place.pointer}/top/default`, related })
    }
    const { expandDepth } = service.limits
    if (expand.support !== 'none' && expandDepth !== undefined && expand.maxDepth > expandDepth) {
      const message = `\`maxDepth\` is ${expand.maxDepth}, more than the service's \`expandDepth\`, ${expandDepth}.`
      const related = [{ message: '`expandDepth` is here', at: '/limits/expandDepth', on: 'key' as const }]
      report({ code: 'spec/expand-depth', message, at: `${place.pointer}/expand/maxDepth`, related })
    }
  }
}
