import { QuerySyntaxError, type QuerySyntaxProblem } from './query-syntax-error.js'

/**
 * A query option that begins with `$` and is no system query option that this language knows. The query may be well
 * written for another service: a service answers it as "not supported here", not as a mistake in writing. It is a
 * `QuerySyntaxError` too, so that whoever does not care for the difference catches one type.
 *
 * @see OData 4.01 Protocol, 11.2.1
 */
export class UnknownQueryOptionError extends QuerySyntaxError {
  override readonly name = 'UnknownQueryOptionError'
  /** The option as it was written, `$apply`. */
  readonly unknown: string

  constructor(unknown: string, problem: QuerySyntaxProblem) {
    super({ ...problem, message: describeUnknown(unknown, problem) })
    this.unknown = unknown
  }
}

function describeUnknown(unknown: string, { position, expected }: QuerySyntaxProblem): string {
  return `Unknown query option \`${unknown}\` at position ${position}; the options known here are ${expected.join(', ')}.`
}
