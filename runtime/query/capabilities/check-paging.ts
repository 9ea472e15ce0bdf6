import type { QueryOptions } from '../ast.js'
import type { CheckContext } from './check-context.js'

/** The bounds of `$top`: below the least it is refused; above the most only where the endpoint says `error`. */
export function checkPaging({ top }: QueryOptions, { report, capabilities }: CheckContext): void {
  if (top === undefined) return
  const { min, max, above } = capabilities.top
  if (top < min) report('$top', 'top.min', `'$top=${top}' is not supported here: the least is ${min}.`)
  if (max !== undefined && top > max && above === 'error') {
    report('$top', 'top.max', `'$top=${top}' is not supported here: the most is ${max}.`)
  }
}
