import type { OptionName } from './option-name.js'

/** The options that may stand in the parentheses of a construct, and whether aliases may. */
export interface NestedOptionNames {
  readonly names: readonly OptionName[]
  readonly aliases: boolean
}

/** @see OData ABNF, `expandCountOption` */
export const countOptions: NestedOptionNames = { names: ['filter', 'search'], aliases: false }
/** @see OData ABNF, `expandRefOption` */
export const referenceOptions: NestedOptionNames = {
  names: ['filter', 'search', 'orderby', 'skip', 'top', 'count'],
  aliases: false,
}
/** @see OData ABNF, `expandPath` */
export const starOptions: NestedOptionNames = { names: ['levels'], aliases: false }
/** @see OData ABNF, `expandOption` */
export const expandOptions: NestedOptionNames = {
  names: [...referenceOptions.names, 'select', 'expand', 'compute', 'levels'],
  aliases: true,
}
/** @see OData ABNF, `selectOption` */
export const selectOptions: NestedOptionNames = {
  names: [...referenceOptions.names, 'compute', 'select'],
  aliases: true,
}
