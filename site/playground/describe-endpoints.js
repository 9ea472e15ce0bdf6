// What the console knows of the endpoints of a service.

/**
 * @param read reads an address of the service; undefined if that fails
 * @returns for each endpoint its method and its path with keys of existing items, the query options, what a `$filter` may
 * contain, and an example of a body
 */
export async function describeEndpoints(service, read) {
  const described = []
  const answers = new Map()
  const readOnce = address => {
    if (!answers.has(address)) answers.set(address, read(address))
    return answers.get(address)
  }
  for (const endpoint of service.endpoints) {
    if (/Stream$|Media$/.test(endpoint.kind)) continue
    described.push({
      name: `${endpoint.method} ${endpoint.path.template}`,
      method: endpoint.method,
      address: await addressOf(endpoint, readOnce),
      options: optionsOf(endpoint.query),
      filter: filterOf(endpoint),
      body: bodyOf(endpoint),
    })
  }
  return described
}

/** The path with the keys of the first item of each collection on the way; a key that is not found stays as it is. */
async function addressOf({ path, keys }, read) {
  let address = path.template
  for (const { variable, property } of keys) {
    const collection = address.slice(0, address.indexOf(`{${variable}}`)).replace(/[/(][^/(]*$/, '')
    const items = (await read(`${collection}?$top=1`)) ?? (await read(collection))
    const key = items?.value?.[0]?.[property.name]
    if (key === undefined) break
    const literal = address.includes(`/{${variable}}`) || typeof key !== 'string' ? key : `'${key.replaceAll("'", "''")}'`
    address = address.replace(`{${variable}}`, encodeURIComponent(literal))
  }
  return address
}

function optionsOf(query) {
  if (query === undefined) return []
  const names = ['select', 'filter', 'orderby', 'expand', 'top', 'skip', 'count', 'search', 'compute', 'apply']
  return names.filter(name => {
    const capability = query[name]
    return (typeof capability === 'string' ? capability : (capability?.support ?? 'none')) !== 'none'
  })
}

const supported = (table = {}) => Object.keys(table).filter(name => table[name] !== 'none')

function filterOf({ query, type }) {
  if (query === undefined || type === undefined || query.filter.support === 'none') return undefined
  const { operators, functions, lambdas, properties } = query.filter
  return {
    properties: propertiesOf(type, '', 0).filter(({ path }) => properties[path]?.support !== 'none'),
    operators: supported(operators),
    functions: supported(functions),
    lambdas: supported(lambdas),
  }
}

/** The properties of a type with those of its complex properties, by path. */
function propertiesOf({ properties }, prefix, depth) {
  return properties.flatMap(({ name, type, collection, nullable }) => {
    const path = prefix + name
    if (type.kind === 'complexType' && !collection) return depth > 2 ? [] : propertiesOf(type, `${path}/`, depth + 1)
    const members = type.kind === 'enumType' ? type.members.map(each => each.name) : undefined
    return [{ path, type: type.name, collection, nullable, members }]
  })
}

function bodyOf({ kind, type }) {
  if (kind !== 'create' && kind !== 'update' && kind !== 'replace') return undefined
  const written = type.properties.filter(({ computed, createOnly }) => !computed && !(createOnly && kind !== 'create'))
  const needed = written.filter(({ required }) => required)
  const shown = kind === 'update' || needed.length === 0 ? written.slice(0, 1) : needed
  return JSON.stringify(Object.fromEntries(shown.map(property => [property.name, valueOf(property, 0)])), undefined, 2)
}

function valueOf({ type, collection, name, maxLength }, depth) {
  if (collection) return []
  if (type.kind === 'enumType') return type.members[0]?.name
  if (type.kind === 'typeDefinition') return samples[type.underlying] ?? null
  if (type.kind === 'complexType') {
    const inner = depth > 2 ? [] : type.properties.filter(({ nullable }) => !nullable)
    return Object.fromEntries(inner.map(property => [property.name, valueOf(property, depth + 1)]))
  }
  return type.name === 'String' ? `A ${name}`.slice(0, maxLength ?? 100) : (samples[type.name] ?? 1)
}

const samples = {
  Boolean: true,
  Date: '2026-12-24',
  DateTimeOffset: '2026-12-24T18:00:00Z',
  TimeOfDay: '18:00:00',
  Duration: 'PT1H',
  Guid: '11111111-2222-3333-4444-555555555555',
  Binary: '',
}
