/**
 * A value as the JSON text that it is sent as: for handlers whose store keeps JSON, which would otherwise be read and
 * written again for nothing. The text must be JSON, without white space where `JSON.stringify` puts none.
 *
 * As the `value` of a page it is the list of items as they are sent: the handler has done what `$select` and `$expand` say.
 */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** The value: for whoever needs to look into it. */
  toJSON(): unknown {
    return JSON.parse(this.text)
  }
}

/** A value that may have been given as text, as a value. */
export function parsedValue(given: unknown): unknown {
  return given instanceof JsonText ? given.toJSON() : given
}
