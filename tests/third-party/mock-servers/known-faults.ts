import type { Violation } from '../../../conformance/index.js'

/** A fault that was verified by hand: a row of a table in docs/findings.md. */
export interface KnownFault {
  /** The first cell of the row. */
  readonly says: string
  readonly rules: readonly string[]
  /** Matches the message, the features or the explanation of the violation. */
  readonly shows: RegExp
}

export function matches({ rules, shows }: KnownFault, { rule, message, features, why }: Violation): boolean {
  return rules.includes(rule) && shows.test([message, ...features, ...why].join('\n'))
}

/** Faults that both servers have. */
const lenient: readonly KnownFault[] = [
  { says: '`$top=0` is ignored', rules: ['top-respected', 'top-bounds'], shows: /\$top=0/ },
  { says: 'Unknown options are ignored', rules: ['unknown-option'], shows: /unsupportedQueryOption/ },
  { says: 'Unknown properties are ignored', rules: ['unknown-property'], shows: /malformedQueryOption/ },
  { says: 'Malformed options are ignored', rules: ['malformed-option'], shows: /although it is malformed/ },
  { says: 'Options of lists are ignored on items', rules: ['unsupported-option'], shows: /is not supported here/ },
  { says: 'Values of another type are stored', rules: ['unfit-body'], shows: /was an object/ },
  {
    says: 'A missing item is not an error',
    rules: ['item-not-found', 'write-not-found', 'delete-removes'],
    shows: /itemNotFound|A list below an item that was deleted|of an item that was deleted got status/,
  },
  {
    says: 'A deleted item has no error object',
    rules: ['delete-removes', 'life-cycle'],
    shows: /A read of a deleted item/,
  },
]

/** The faults of the mock server of SAP Fiori tools. */
export const fleetFaults: readonly KnownFault[] = [
  ...lenient,
  { says: 'A count is sent unasked', rules: ['count-unasked'], shows: /was not requested/ },
  { says: 'A quote in a string is a 500 without JSON', rules: ['no-server-error', 'error-shape'], shows: /status 500/ },
  { says: 'Null sorts above other values', rules: ['order-sorted'], shows: /null orderby|orderby/ },
  {
    says: 'Null is compared as a value',
    rules: ['filter-model'],
    shows:
      /functions of null are true|null is less than|nothing equals null|filter is ignored|not of null is true|null Boolean is/,
  },
  { says: '`not (not …)` negates once', rules: ['filter-model'], shows: /not not is evaluated as not/ },
  { says: 'Stated limits are not checked', rules: ['constraints-kept'], shows: /constraint\.(maxLength|scale)/ },
  { says: 'An unknown path has items', rules: ['path-not-found'], shows: /pathNotFound/ },
  { says: 'A malformed key is accepted', rules: ['malformed-key'], shows: /malformedKey/ },
  { says: 'Options in `$expand` are ignored', rules: ['expand-nested'], shows: /inside \$expand=Trucks/ },
  { says: 'HEAD finds each key', rules: ['head-and-options'], shows: /does not exist gets status 200/ },
]

/** The faults of simple-odata-server. */
export const recipesFaults: readonly KnownFault[] = [
  ...lenient,
  { says: 'An item is inside `value`', rules: ['item-envelope'], shows: /in an envelope/ },
  { says: 'What it cannot parse is a 500', rules: ['no-server-error'], shows: /filter|orderby/ },
  { says: 'A duplicate key is a 500', rules: ['no-server-error'], shows: /POST/ },
  { says: '`$count` is JSON', rules: ['count-path'], shows: /does not return a number/ },
  { says: '`$count=false` counts', rules: ['count-unasked'], shows: /although it was not requested/ },
  {
    says: 'Functions are ignored or match nothing',
    rules: ['filter-model'],
    // Which of them the explanation names depends on the probes: `concat` that matches nothing looks like truncated texts.
    shows: /filter is ignored|(toupper|tolower|length) is ignored|filter matches nothing|concat\(.* is true/,
  },
  { says: 'The code of an error is a number', rules: ['path-not-found'], shows: /`code` is not a string/ },
  { says: '`$select` with `$count` shows all', rules: ['unselected-absent'], shows: /although \$select omits it/ },
]
