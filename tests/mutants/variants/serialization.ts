import { isObject, type Json, type JsonObject } from '../service/json.js'
import type { Variant } from './variant.js'

/** Equivalent serializations of responses. */
export const serializationVariants: readonly Variant[] = [
  {
    name: 'more-properties',
    choices: [],
    statement: 'Items, lists and errors have additional members.',
    change: behaviour => ({
      item: (item, row, at) => ({ ...behaviour.item(item, row, at), extensionAttribute1: 'x', '@vendor.note': 1 }),
      reply: (reply, at) => {
        const done = behaviour.reply(reply, at)
        return isObject(done.json) ? { ...done, json: { ...done.json, '@vendor.tips': ['use select'] } } : done
      },
      error: (error, message, at) => {
        const reply = behaviour.error(error, message, at)
        const inner = isObject(reply.json) ? reply.json['error'] : undefined
        if (!isObject(inner)) return reply
        return {
          ...reply,
          json: { error: { ...inner, innerError: { 'request-id': '1', date: '2026-03-01T10:00:00' } } },
        }
      },
    }),
  },
  {
    name: 'other-line-ends',
    choices: [],
    statement: 'Texts of several lines are stored with CRLF, and end with it.',
    change: behaviour => ({
      create: (values, at) => behaviour.create(withLineEnds(values), at),
      merge: (old, changes, row, at) => behaviour.merge(old, withLineEnds(changes), row, at),
    }),
  },
  {
    name: 'timestamps-with-zeros',
    choices: [],
    statement: 'Timestamps have seven fractional digits.',
    group: 'timestamps',
    change: behaviour => ({
      formatValue: (value, property, row, at) => {
        const written = behaviour.formatValue(value, property, row, at)
        return isTimestamp(property) && typeof written === 'string' ? withDigits(written) : written
      },
    }),
  },
  {
    name: 'timestamps-with-offset',
    choices: [],
    statement: 'Timestamps end with +00:00 instead of Z.',
    group: 'timestamps',
    change: behaviour => ({
      formatValue: (value, property, row, at) => {
        const written = behaviour.formatValue(value, property, row, at)
        return isTimestamp(property) && typeof written === 'string' ? written.replace(/Z$/, '+00:00') : written
      },
    }),
  },
  {
    name: 'timestamps-finer-than-shown',
    choices: ['timestampPrecision'],
    statement: 'Timestamps are stored with fractions of a second and returned without.',
    group: 'timestamps',
    change: behaviour => ({
      formatValue: (value, property, row, at) => {
        const written = behaviour.formatValue(value, property, row, at)
        return isTimestamp(property) && typeof written === 'string' ? written.replace(/\.\d+/, '') : written
      },
    }),
  },
  {
    name: 'nulls-left-out',
    choices: [],
    statement: 'Null properties are omitted.',
    group: 'nulls',
    change: behaviour => ({
      formatValue: (value, property, row, at) => behaviour.formatValue(value, property, row, at) ?? undefined,
    }),
  },
  {
    name: 'nulls-absent-in-some-rows',
    choices: ['absentProperty'],
    statement: 'Some rows lack a property, which differs from null.',
    group: 'nulls',
    change: behaviour => ({
      formatValue: (value, property, row, at) =>
        row !== undefined && value === null && lacksProperty(row)
          ? undefined
          : behaviour.formatValue(value, property, row, at),
      compare: (node, left, right, env) => {
        const row = typeof env.it === 'object' && env.it?.kind === 'object' ? env.it.entity : undefined
        const isAsked = right === null && left === null && row !== undefined && lacksProperty(row)
        if (!isAsked || (node.operator !== 'eq' && node.operator !== 'ne'))
          return behaviour.compare(node, left, right, env)
        const isPlain = node.left.kind === 'path' && node.left.root === undefined && node.left.segments.length === 1
        return isPlain ? node.operator === 'ne' : behaviour.compare(node, left, right, env)
      },
    }),
  },
  {
    name: 'other-content-type',
    choices: [],
    statement: 'The content type has parameters, and OData-Version is 4.0.',
    change: behaviour => ({
      reply: (reply, at) => {
        const done = behaviour.reply(reply, at)
        if (done.json === undefined) return done
        const type = 'application/json; odata.metadata=minimal; charset=utf-8'
        return { ...done, headers: { 'Content-Type': type, ...done.headers, 'OData-Version': '4.0' } }
      },
    }),
  },
  {
    name: 'pretty-json',
    choices: [],
    statement: 'JSON is indented, its members are in another order, and letters are escaped.',
    change: behaviour => ({
      reply: (reply, at) => {
        const done = behaviour.reply(reply, at)
        if (done.json === undefined || done.text !== undefined) return done
        const text = JSON.stringify(reversed(done.json), undefined, 2)
        return {
          ...done,
          text: text.replaceAll(/[^\0-\x7F]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
        }
      },
    }),
  },
]

function isTimestamp({ type }: { readonly type: { readonly kind: string; readonly name: string } }): boolean {
  return type.kind === 'primitive' && type.name === 'DateTimeOffset'
}

function withDigits(text: string): string {
  const [whole = '', fraction = ''] = text.replace(/Z$/, '').split('.')
  return `${whole}.${fraction.padEnd(7, '0')}Z`
}

/** Whether a row lacks the property: every second row of the initial data. */
function lacksProperty(row: { readonly version: number; readonly values: Readonly<Record<string, Json>> }): boolean {
  const text = String(Object.values(row.values)[0])
  return row.version === 1 && !text.includes('made') && text.charCodeAt(text.length - 1) % 2 === 0
}

function reversed(json: Json): Json {
  if (Array.isArray(json)) return json.map((each: Json) => reversed(each))
  if (!isObject(json)) return json
  return Object.fromEntries(
    Object.entries(json)
      .reverse()
      .map(([name, value]) => [name, reversed(value)]),
  )
}

function withLineEnds(values: JsonObject): JsonObject {
  const convert = (value: Json): Json => {
    if (typeof value === 'string') return value.includes('\n') ? `${value.replaceAll(/\r?\n/g, '\r\n')}\r\n` : value
    if (Array.isArray(value)) return value.map(convert)
    return isObject(value) ? withLineEnds(value) : value
  }
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, convert(value)]))
}
