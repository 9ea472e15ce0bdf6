// A request as the console sends it, and as code: in curl, and in TypeScript with the generated client.

/** What the reader typed. @typedef {{ path: Record<string, string>, query: Record<string, string>, headers: Record<string, string>, body?: string | Blob, bodyType?: string }} Values */

/** What URLs may contain as it is in a query, where `encodeURIComponent` is stricter than necessary. */
const readable = { '%24': '$', '%2C': ',', '%2F': '/', '%3A': ':', '%3B': ';', '%3D': '=', '%40': '@' }
const encodeText = text => encodeURIComponent(text).replaceAll("'", '%27')
const encodeQuery = text => encodeText(text).replace(/%(?:24|2C|2F|3A|3B|3D|40)/g, found => readable[found])

/**
 * The request for an endpoint. Empty values are left out.
 *
 * @param endpoint what the page says of the endpoint: `root`, `method` and `path`, the template in the syntax of OpenAPI
 */
export function requestOf({ root, method, path }, { path: keys, query, headers, body, bodyType }) {
  const target = path.replaceAll(/('?)\{([^{}]*)\}('?)/g, (_, before, name, after) => {
    const value = keys[name] ?? ''
    return before + encodeText(before === '' ? value : value.replaceAll("'", "''")) + after
  })
  const options = given(query).map(([name, value]) => `${encodeQuery(name)}=${encodeQuery(value)}`)
  const hasBody = body !== undefined && body !== ''
  return {
    url: `${root}${target}${options.length === 0 ? '' : `?${options.join('&')}`}`,
    method,
    headers: {
      ...Object.fromEntries(given(headers)),
      ...(hasBody && { 'Content-Type': bodyType ?? 'application/json' }),
    },
    ...(hasBody && { body }),
  }
}

const given = record => Object.entries(record).filter(([, value]) => value !== '')

/** A command for a POSIX shell. The token is in a variable, so that the command can be shared. */
export function curlOf({ url, method, headers, body }, bearer) {
  const quoted = text => `'${text.replaceAll("'", "'\\''")}'`
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(url)}`,
    ...(bearer ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined
      ? []
      : [typeof body === 'string' ? `-d ${quoted(body)}` : `--data-binary @${quoted(body.name)}`]),
  ].join(' \\\n  ')
}

/** Options that the client takes in another form than this example can compute. */
const leftOut = ['$expand', '$search', '$compute', '$apply', '$skiptoken', '$deltatoken']

/**
 * The same request with the generated client.
 *
 * @param endpoint `root`, `bearer`, and `call`: how the client calls the endpoint
 * @param filter the filter as an expression of the client's builder; undefined: as text
 */
export function typescriptOf({ root, bearer, call }, values, filter) {
  const { factory, variable, folder, names, result, keys, parameters, body, tagged } = call
  const options = optionsOf(values, filter, tagged)
  const all = [
    ...keys.map(key =>
      key.length === 1
        ? literal(key[0].form, values.path[key[0].name])
        : object(key.map(part => [part.property, literal(part.form, values.path[part.name])])),
    ),
    ...(parameters.length === 0 ? [] : [parametersOf(parameters, values)]),
    ...(body === 'json' && parameters.length === 0 ? [code(parsed(values.body) ?? {})] : []),
    ...(body === 'stream' ? ['file'] : []),
    ...(options.length === 0 ? [] : [object(options)]),
  ]
  const called = `${variable}${names.map(access).join('')}(${all.join(', ')})`
  const missing = given(values.query).filter(([name]) => leftOut.includes(name))
  return [
    `import { ${factory} } from './${folder}/client.js'`,
    '',
    ...(body === 'stream' ? ["const file = new Blob(['…'], { type: 'application/octet-stream' })"] : []),
    `const ${variable} = ${factory}({ baseUrl: ${text(root)}${bearer ? ", token: '…'" : ''} })`,
    ...(missing.length === 0 ? [] : [`// Without ${missing.map(([name]) => name).join(', ')}.`]),
    ...(result === 'list'
      ? [`for await (const item of ${called}) console.log(item)`]
      : result === 'nothing'
        ? [`await ${called}`]
        : [`console.log(await ${called})`]),
  ].join('\n')
}

function optionsOf({ query, headers }, filter, tagged) {
  const value = name => query[name] ?? ''
  const names = text => text.split(',').flatMap(each => each.trim() || [])
  return [
    ...(value('$select') === '' ? [] : [['select', `[${names(value('$select')).map(text).join(', ')}]`]]),
    ...(value('$filter') === '' ? [] : [['filter', `f => ${filter ?? `f.raw(${text(value('$filter'))})`}`]]),
    ...(value('$orderby') === '' ? [] : [['orderby', `[${names(value('$orderby')).map(text).join(', ')}]`]]),
    ...['top', 'skip'].flatMap(name => (/^\d+$/.test(value(`$${name}`)) ? [[name, value(`$${name}`)]] : [])),
    ...(value('$count') === 'true' ? [['count', 'true']] : []),
    ...(tagged === undefined ? [] : tagOf(headers, tagged)),
  ]
}

/** The entity tag of a condition. One that the service requires is `*` until the reader gives another. */
function tagOf(headers, { header, required }) {
  const name = header === 'If-Match' ? 'ifMatch' : 'ifNoneMatch'
  const tag = headers[header] || (required ? '*' : '')
  return tag === '' ? [] : [[name, text(tag)]]
}

/** The parameters of a function are in the path or the query, those of an action in the body. */
function parametersOf(parameters, { path, query, body }) {
  const inBody = parsed(body) ?? {}
  return object(
    parameters.flatMap(({ name, variable, form, optional }) => {
      if (Object.hasOwn(inBody, name)) return [[name, code(inBody[name])]]
      const value = path[variable] ?? query[name] ?? ''
      return value === '' && optional
        ? []
        : [[name, form === 'json' ? code(parsed(value) ?? []) : literal(form, value)]]
    }),
  )
}

function parsed(json) {
  try {
    const value = JSON.parse(json)
    return typeof value === 'object' ? value : undefined
  } catch {
    return undefined
  }
}

const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u
const access = name => (identifier.test(name) ? `.${name}` : `[${text(name)}]`)
const object = members =>
  members.length === 0
    ? '{}'
    : `{ ${members.map(([name, value]) => `${identifier.test(name) ? name : text(name)}: ${value}`).join(', ')} }`

/** A string literal. */
export const text = value =>
  `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'").replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`

/** A value that the reader typed, as a literal: numbers and Booleans without quotes. */
export const literal = (form, value = '') =>
  (form === 'number' && /^-?\d+(?:\.\d+)?$/.test(value)) || (form === 'boolean' && /^(?:true|false)$/.test(value))
    ? value
    : form === 'number'
      ? '0'
      : form === 'boolean'
        ? 'true'
        : text(value)

function code(value) {
  if (Array.isArray(value)) return `[${value.map(code).join(', ')}]`
  if (typeof value === 'string') return text(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return object(Object.entries(value).map(([name, each]) => [name, code(each)]))
}

/**
 * An example of a value that a schema describes: in a request what is required, and single values that are not; in a response
 * everything, with one item in each list.
 *
 * @param isWhole whether it is that of a response
 */
export function sampleOf(schema, isWhole = false, isRequired = true, depth = 0) {
  const { type, enum: members, format, properties = {}, items, pattern, required = [] } = schema
  if (schema.default !== undefined && schema.default !== null) return schema.default
  if (Array.isArray(members)) return members.find(member => member !== null)
  const [first] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []
  if (first !== undefined && type === undefined) return sampleOf(first, isWhole, isRequired, depth)
  switch (kindOf(schema)) {
    case 'object':
      return Object.fromEntries(
        Object.entries(properties).flatMap(([name, each]) => {
          const isNeeded = required.includes(name)
          const isShown = isWhole
            ? depth < 3
            : isNeeded || (depth === 0 && !name.includes('@') && each.readOnly !== true && isSimple(each))
          const value = isShown && depth < 5 ? sampleOf(each, isWhole, isNeeded, depth + 1) : undefined
          return value === undefined ? [] : [[name, value]]
        }),
      )
    case 'array':
      return (isWhole && depth < 3) || schema.minItems > 0 ? [sampleOf(items ?? {}, isWhole, true, depth + 1)] : []
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return schema.exclusiveMinimum === undefined ? Math.max(0, schema.minimum ?? 0) : schema.exclusiveMinimum + 1
    case 'string':
      if (format !== undefined && Object.hasOwn(formats, format)) return formats[format]
      if (pattern !== undefined) return isRequired ? '' : undefined
      return 'text'.padEnd(schema.minLength ?? 0, 'x').slice(0, schema.maxLength)
    default:
      return isRequired ? null : undefined
  }
}

const kindOf = ({ type }) => (Array.isArray(type) ? type.find(name => name !== 'null') : type)

const isSimple = schema =>
  schema.anyOf === undefined && schema.oneOf === undefined && !['object', 'array'].includes(kindOf(schema))

const formats = {
  date: '2026-12-24',
  'date-time': '2026-12-24T18:00:00Z',
  time: '18:00:00',
  duration: 'PT1H',
  uuid: '00000000-0000-4000-8000-000000000000',
  base64url: 'AAAA',
}
