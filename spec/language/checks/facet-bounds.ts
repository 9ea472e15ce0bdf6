import type { Check } from './check.js'
import { faceted } from './facets.js'

const pairs = [
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minimum', 'maximum'],
] as const

/** Lower bounds do not exceed upper bounds, and patterns are regular expressions. */
export const facetBounds: Check = ({ service, report }) => {
  for (const element of faceted(service)) {
    const { pointer } = element.location
    for (const [low, high] of pairs) {
      const [least, most] = [element[low], element[high]]
      if (least === undefined || most === undefined || least <= most) continue
      const message = `\`${low}\` is ${least}, more than \`${high}\`, which is ${most}. No value fits.`
      const related = [{ message: `\`${high}\` is here`, at: `${pointer}/${high}`, on: 'key' as const }]
      report({ code: 'spec/facet-bounds', message, at: `${pointer}/${low}`, related })
    }
    if (typeof element.scale === 'number' && element.precision !== undefined && element.scale > element.precision) {
      const message = `\`scale\` is ${element.scale}, more than \`precision\`, which is ${element.precision}.`
      report({ code: 'spec/facet-bounds', message, at: `${pointer}/scale` })
    }
    if (element.pattern !== undefined && !isPattern(element.pattern)) {
      const message = '`pattern` is not an ECMAScript regular expression with the flag `u`. Escape literal characters.'
      report({ code: 'spec/pattern', message, at: `${pointer}/pattern` })
    }
  }
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u')
    return true
  } catch {
    return false
  }
}
