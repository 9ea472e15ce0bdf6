/** How templates are compiled: nothing is escaped for HTML, and what a view lacks is an error instead of empty text. */
export const templateOptions = {
  noEscape: true,
  strict: true,
  knownHelpersOnly: true,
  knownHelpers: { str: true, prop: true, doc: true },
} as const
