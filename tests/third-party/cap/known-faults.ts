import type { Violation } from '../../../conformance/index.js'

/** A fault of SAP CAP that was verified by hand. */
interface KnownFault {
  readonly heading: string
  /** Whether this fault causes a violation. */
  readonly matches: (violation: Violation) => boolean
}

const requestMatches = (violation: Violation, what: RegExp): boolean =>
  violation.exchanges.some(({ url }) => what.test(decodeURIComponent(url)))

/** The faults of SAP CAP's bookshop. The suite must report all of them, and nothing else. */
export const knownFaults: readonly KnownFault[] = [
  {
    heading: '`ne` and `not … eq` use different logics',
    matches: ({ rule }) => rule === 'choice-nullEquality',
  },
  {
    heading: '`toupper` and `tolower` convert ASCII letters only',
    matches: violation =>
      ['filter-model', 'filter-count-path'].includes(violation.rule) &&
      requestMatches(violation, /(tolower|toupper)\(\w+\) eq '[^']*[^\0-\x7f]/),
  },
  {
    heading: 'A duplicate key is answered with 500',
    matches: ({ rule, site, exchanges }) =>
      rule === 'no-server-error' &&
      site === 'Books.create' &&
      exchanges.some(({ status, answer }) => status === 500 && answer.includes('UNIQUE constraint failed')),
  },
  ...['top', 'count', 'orderby'].map(
    (option): KnownFault => ({
      heading: 'Invalid options are ignored',
      matches: violation =>
        violation.rule === 'unsupported-option' &&
        violation.site.startsWith('Books.get') &&
        requestMatches(violation, new RegExp(`\\?\\$${option}=`)),
    }),
  ),
  {
    heading: 'Invalid options are ignored',
    matches: violation => violation.rule === 'malformed-option' && requestMatches(violation, /\?\$skip=-1$/),
  },
  {
    heading: 'Invalid options are ignored',
    matches: violation =>
      violation.rule === 'malformed-option' && requestMatches(violation, /\$filter=inPrint eq 'banana'$/),
  },
]
