import {
  type Expression,
  exactNumber,
  geoLiteral,
  isExactType,
  isNumericTypeName,
  type Literal,
  parseFilter,
  QuerySyntaxError,
  wgs84,
} from '../../query/index.js'
import { invalidValue } from './primitive-values.js'

const simpleString = /^'[^']*'$/

/**
 * Reads a literal in the parentheses of a path, such as `'x'`, `2` or `@p`, as JSON for `type`. `aliases` are the
 * values of parameter aliases such as `@p`. `invalidValue`: it isn't a literal of `type`.
 */
export function readLiteral(
  text: string,
  type: string,
  aliases: Readonly<Record<string, Expression>> | undefined,
): unknown {
  if (simpleString.test(text)) return literalJson({ kind: 'literal', type: 'String', value: text.slice(1, -1) }, type)
  const expression = parse(text)
  const resolved = expression?.kind === 'alias' ? aliasOf(expression.name, aliases) : expression
  return resolved === undefined ? invalidValue : literalJson(resolved, type)
}

function aliasOf(name: string, aliases: Readonly<Record<string, Expression>> | undefined): Expression | undefined {
  return aliases !== undefined && Object.hasOwn(aliases, name) ? aliases[name] : undefined
}

function parse(text: string): Expression | undefined {
  try {
    return parseFilter(text)
  } catch (error) {
    if (error instanceof QuerySyntaxError) return undefined
    throw error
  }
}

/**
 * Converts a URL literal to the JSON that a body would contain for it, so that both are read by the same code.
 * `invalidValue`: it isn't a literal of `type`. A string can represent a value of any type, as 4.01 allows.
 *
 * @see OData URL Conventions 4.01, 5.1.1.14 (literals)
 */
function literalJson(expression: Expression, type: string): unknown {
  switch (expression.kind) {
    case 'literal':
      return literalValueJson(expression, type)
    case 'list':
      return allJson(expression.items, type)
    case 'object':
      return objectJson(expression.members)
    default:
      return invalidValue
  }
}

/** The JSON for unquoted text: a key as a path segment, or a parameter as a custom query option. */
export function plainJson(text: string, type: string): unknown {
  if (type === 'Edm.Boolean') return text === 'true' ? true : text === 'false' ? false : invalidValue
  return isNumericTypeName(type) ? numberJson(text, type) : text
}

function literalValueJson(literal: Literal, type: string): unknown {
  if (literal.value === null || typeof literal.value === 'boolean') return literal.value
  if (literal.type === 'String') return type === 'Edm.String' ? literal.value : plainJson(literal.value, type)
  if (type === 'Edm.String') return invalidValue
  if (literal.type === 'Geography' || literal.type === 'Geometry')
    return geoLiteralJson(literal.type, literal.value, type)
  const numeric = literal.type === 'Integer' || literal.type === 'Decimal' || literal.type === 'Double'
  return numeric ? numberJson(literal.value, type) : literal.value
}

/** Well-known text as GeoJSON, which represents geographic positions only in WGS 84. */
function geoLiteralJson(family: 'Geography' | 'Geometry', value: string, type: string): unknown {
  const literal = geoLiteral(value)
  const fits = type.startsWith(`Edm.${family}`) && (family === 'Geometry' || literal?.srid === wgs84)
  return literal !== undefined && fits ? literal.json : invalidValue
}

/** A number, or the text of a number that would lose digits, if the type can have it. */
function numberJson(text: string, type: string): unknown {
  if (text === 'INF' || text === '-INF' || text === 'NaN') return text
  if (!/^[+-]?\d{1,80}(?:\.\d{1,80})?(?:[eE][+-]?\d{1,3})?$/.test(text)) return invalidValue
  return isExactType(type) ? (exactNumber(text) ?? invalidValue) : Number(text)
}

function allJson(items: readonly Expression[], type: string): unknown {
  const values = items.map(item => literalJson(item, type))
  return values.includes(invalidValue) ? invalidValue : values
}

function objectJson(members: readonly { readonly name: string; readonly value: Expression }[]): unknown {
  const value: Record<string, unknown> = Object.create(null)
  for (const member of members) {
    const json = literalJson(member.value, '')
    if (json === invalidValue) return invalidValue
    value[member.name] = json
  }
  return value
}
