import { stringLiteral } from '../text/string-literal.js'
import { isIdentifierName } from './identifier-name.js'

/**
 * A name as the member of an interface or of an object literal: quoted when it is no identifier. `new` is quoted because
 * `new(…)` in an interface is a constructor, `__proto__` is computed because in a literal it would set the prototype.
 */
export function propertyName(name: string): string {
  if (name === '__proto__') return `['__proto__']`
  return isIdentifierName(name) && name !== 'new' ? name : stringLiteral(name)
}
