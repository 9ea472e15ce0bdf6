import type { Condition, Endpoint, Preference, Support } from '../../../spec/language/model/index.js'
import { type JsonObject, jsonObject } from '../json-schema/json.js'

/** The request headers that mean something to an endpoint. */
export function headerParameters(endpoint: Endpoint): readonly JsonObject[] {
  const query = 'query' in endpoint ? endpoint.query : undefined
  return [
    ...conditionHeaders(query?.requires ?? []),
    ...preconditionHeader(
      'If-Match',
      'ifMatch' in endpoint ? endpoint.ifMatch : 'none',
      'The change is made only if the entity tag is one of these.',
    ),
    ...preconditionHeader(
      'If-None-Match',
      'ifNoneMatch' in endpoint ? endpoint.ifNoneMatch : 'none',
      'Answers 304 if the entity tag is one of these.',
    ),
    ...preferHeader(endpoint),
  ]
}

function conditionHeaders(conditions: readonly Condition[]): readonly JsonObject[] {
  const byName = new Map<string, Condition[]>()
  for (const condition of conditions) {
    byName.set(condition.header.name, [...(byName.get(condition.header.name) ?? []), condition])
  }
  return [...byName].map(([name, own]) => {
    const needs = own.map(condition => {
      const { when, otherwise, open } = condition
      const constructs = when.map(all => all.join(' with ')).join(', ')
      return `${open === undefined ? 'Needed' : 'May be needed'} for ${constructs}; without it: ${otherwise.code}.`
    })
    return header(name, needs.join(' '), { enum: [...new Set(own.map(condition => condition.header.value))] })
  })
}

function preconditionHeader(name: string, support: Support, about: string): readonly JsonObject[] {
  if (support === 'none') return []
  return [header(name, about, {}, support === 'required' && name === 'If-Match')]
}

function preferHeader({ kind, preferences }: Endpoint): readonly JsonObject[] {
  const changes = kind === 'create' || kind === 'update' || kind === 'replace'
  const choices = [
    ...preferences.map(preferenceText),
    ...(changes ? ['`return=minimal` or `return=representation`: whether the item is returned.'] : []),
  ]
  return choices.length === 0 ? [] : [header('Prefer', choices.join(' '), {})]
}

function preferenceText({ name, values, default: byDefault }: Preference): string {
  const written = values.map(value => `\`${name}="${value}"\``).join(' or ')
  return `${written}${byDefault === undefined ? '' : `; without it ${byDefault}`}.`
}

function header(name: string, about: string, schema: JsonObject, required = false): JsonObject {
  return jsonObject([
    ['name', name],
    ['in', 'header'],
    ['required', required ? true : undefined],
    ['description', about],
    ['schema', { type: 'string', ...schema }],
  ])
}
