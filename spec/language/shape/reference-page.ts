import { descriptionOf, type Schema, schemaAt, subschema } from './schema.js'

/** The annotations of nearly every element, listed once. */
const annotations = ['ref', 'description', 'assumed']

/**
 * The reference of the spec language as Markdown, from its JSON Schema: the chapters of the document in their order, and
 * in each the elements that first occur there.
 */
export function referencePage(schema: Schema): string {
  const listed = new Set<string>()
  const chapters = entriesOf(subschema(schema, 'properties')).map(([name, part]) => chapter(schema, name, part, listed))
  const common = entriesOf(subschema(schema, '$defs')).filter(([name]) => annotations.includes(name))
  return `${[
    '## Reference',
    keywordTable(schema, schema),
    '### Annotations',
    'Every element may carry these, but for clauses, faults and the filters of single properties.',
    table(schema, common, []),
    ...chapters,
  ].join('\n\n')}\n`
}

type Entry = readonly [name: string, part: Schema]

function entriesOf(parts: Schema | undefined): readonly Entry[] {
  return Object.keys(parts ?? {}).flatMap(name => {
    const part = subschema(parts, name)
    return part === undefined ? [] : [[name, part] as const]
  })
}

function chapter(root: Schema, name: string, part: Schema, listed: Set<string>): string {
  const elements = elementsIn(root, part, listed).map(([element, definition]) => {
    const heading = `#### ${element}\n\n${descriptionOf(root, definition) ?? ''}\n\n`
    // A chapter that is itself the element needs no second heading.
    return `${element === name && part['$ref'] !== undefined ? '' : heading}${keywordTable(root, definition)}`
  })
  const value = part['$ref'] === undefined ? ` Written as ${article(valueText(root, part))}.` : ''
  return [`### ${name}`, `${descriptionOf(root, part) ?? ''}${value}`, ...elements].join('\n\n')
}

const article = (text: string): string => (/^(?:map|list)/.test(text) ? `a ${text}` : text)

/** The definitions of elements that a part of the schema leads to and that no earlier chapter lists, outermost first. */
function elementsIn(root: Schema, part: unknown, listed: Set<string>): readonly Entry[] {
  if (typeof part !== 'object' || part === null) return []
  const own: Entry[] = []
  const inner: unknown[] = []
  for (const [key, value] of Object.entries(part)) {
    if (key !== '$ref' || typeof value !== 'string') {
      inner.push(value)
      continue
    }
    const name = value.slice(value.lastIndexOf('/') + 1)
    const definition = schemaAt(root, value)
    if (definition === undefined || listed.has(name) || !isElement(definition)) continue
    listed.add(name)
    // A definition that only selects a kind of element has no keywords of its own.
    if (definition['allOf'] === undefined) own.push([name, definition])
    inner.push(definition)
  }
  return [...own, ...inner.flatMap(each => elementsIn(root, each, listed))]
}

const isElement = (part: Schema): boolean => subschema(part, 'properties') !== undefined

function keywordTable(root: Schema, part: Schema): string {
  const keywords = entriesOf(subschema(part, 'properties'))
  const isAnnotated = annotations.every(name => keywords.some(([keyword]) => keyword === name))
  const own = isAnnotated ? keywords.filter(([keyword]) => !annotations.includes(keyword)) : keywords
  return table(root, own, part['required'])
}

function table(root: Schema, keywords: readonly Entry[], required: unknown): string {
  const rows = keywords.map(([name, keyword]) => {
    const mark = Array.isArray(required) && required.includes(name) ? ' (required)' : ''
    return `| \`${name}\`${mark} | ${cell(valueText(root, keyword))} | ${cell(descriptionOf(root, keyword) ?? '')} |`
  })
  return ['| Keyword | Value | Meaning |', '|---|---|---|', ...rows].join('\n')
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const typeTexts: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: '`true` or `false`',
  null: '`null`',
  object: 'mapping',
  array: 'list',
}

/** What a keyword may have as its value. */
function valueText(root: Schema, part: Schema): string {
  const reference: unknown = part['$ref']
  if (typeof reference === 'string') return referenceText(root, reference)
  const choices: unknown = part['enum']
  if (Array.isArray(choices)) return choices.map(choice => `\`${String(choice)}\``).join(', ')
  if (part['const'] !== undefined) return `\`${String(part['const'])}\``
  const [condition, then, otherwise] = [subschema(part, 'if'), subschema(part, 'then'), subschema(part, 'else')]
  if (condition && then && otherwise) return `${valueText(root, then)}, or ${valueText(root, otherwise)}`
  const items = subschema(part, 'items')
  if (items) return `list of ${valueText(root, items)}`
  const values = subschema(part, 'additionalProperties')
  if (values) return `map from ${keyText(root, part)} to ${valueText(root, values)}`
  const type: unknown = part['type']
  const types = Array.isArray(type) ? type : [type]
  return types.map(each => typeTexts[String(each)] ?? String(each)).join(', ')
}

function referenceText(root: Schema, reference: string): string {
  const name = reference.slice(reference.lastIndexOf('/') + 1)
  const definition = schemaAt(root, reference)
  if (definition === undefined) throw new Error(`The schema has no ${reference}.`)
  if (definition['allOf'] !== undefined) {
    const kinds = alternatives(definition).map(each => `[${each}](#${each.toLowerCase()})`)
    return `${kinds.slice(0, -1).join(', ')} or ${kinds.at(-1)}`
  }
  if (isElement(definition)) return `[${name}](#${name.toLowerCase()})`
  return definition['pattern'] === undefined ? valueText(root, definition) : wordOf(name)
}

/** The definitions between which an element chooses by its kind. */
function alternatives(definition: Schema): readonly string[] {
  const all: unknown = definition['allOf']
  return (Array.isArray(all) ? all : []).flatMap((each: unknown) => {
    const reference = typeof each === 'object' && each !== null ? subschema({ ...each }, 'then')?.['$ref'] : undefined
    return typeof reference === 'string' ? [reference.slice(reference.lastIndexOf('/') + 1)] : []
  })
}

/** `dottedName` -> `dotted name`. */
const wordOf = (name: string): string => name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)

function keyText(root: Schema, part: Schema): string {
  const names = subschema(part, 'propertyNames')
  return names === undefined ? 'path' : valueText(root, names)
}
