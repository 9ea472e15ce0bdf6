import type { Operator } from './operators.js'

/** A lambda variable in scope, and those around it. */
export interface Scope {
  readonly variable: string
  readonly outer: Scope | undefined
}

/** Where a parse stands: the text, the next character, and what the grammar has to remember of its surroundings. */
export class Cursor {
  readonly text: string
  /** The query option being parsed, with its `$`, for messages. */
  readonly option: string
  position = 0
  nesting = 0
  /** How often a construct was begun: a measure of the work done that no clock disturbs. */
  steps = 0
  scope: Scope | undefined = undefined
  /** The operator last looked for: from where, what was found, and where its right operand begins. */
  operatorAt = -1
  operator: Operator | undefined = undefined
  operatorEnd = -1

  constructor(text: string, option: string) {
    this.text = text
    this.option = option
  }
}
