import type { Violation } from '../../conformance/index.js'

/** A fault of SAP CAP that was checked by hand, in the words of its heading in `docs/findings.md`. */
export interface Finding {
  readonly heading: string
  /** Whether a violation is about this fault. */
  readonly tells: (violation: Violation) => boolean
}

const asks = (violation: Violation, what: RegExp): boolean =>
  violation.exchanges.some(({ url }) => what.test(decodeURIComponent(url)))

/** Faults of SAP CAP's bookshop: all that the judge may tell of, and must. */
export const findings: readonly Finding[] = [
  {
    heading: '`ne` and `not … eq` go by two logics',
    tells: ({ rule }) => rule === 'choice-nullEquality',
  },
  {
    heading: '`toupper` and `tolower` know the letters of ASCII only',
    tells: violation =>
      ['filter-model', 'filter-count-path'].includes(violation.rule) &&
      asks(violation, /(tolower|toupper)\(\w+\) eq '[^']*[^\0-\x7f]/),
  },
  {
    heading: 'A key that is taken is answered with 500',
    tells: ({ rule, site, exchanges }) =>
      rule === 'no-server-error' &&
      site === 'Books.create' &&
      exchanges.some(({ status, answer }) => status === 500 && answer.includes('UNIQUE constraint failed')),
  },
  ...['top', 'count', 'orderby'].map(
    (option): Finding => ({
      heading: 'Options that cannot be meant are passed over',
      tells: violation =>
        violation.rule === 'unsupported-option' &&
        violation.site.startsWith('Books.get') &&
        asks(violation, new RegExp(`\\?\\$${option}=`)),
    }),
  ),
  {
    heading: 'Options that cannot be meant are passed over',
    tells: violation => violation.rule === 'malformed-option' && asks(violation, /\?\$skip=-1$/),
  },
  {
    heading: 'Options that cannot be meant are passed over',
    tells: violation =>
      violation.rule === 'malformed-option' && asks(violation, /\$filter=(published|changed) gt 'banana'$/),
  },
]
