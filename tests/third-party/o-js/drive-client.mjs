import { createRequire } from 'node:module'

// Drives o.js against a service, and prints what it found.
const require = createRequire(import.meta.url)
const { o } = require('odata')
const buildQuery = require('odata-query').default
const [url = ''] = process.argv.slice(2)
const service = (useChangset = false) =>
  o(`${url}/`, {
    headers: { 'Content-Type': 'application/json' },
    batch: {
      boundaryPrefix: 'batch_',
      changsetBoundaryPrefix: 'changset_',
      endpoint: '$batch',
      headers: new Headers({ 'Content-Type': 'multipart/mixed' }),
      useChangset,
      useRelativeURLs: false,
    },
  })
const statusOf = request =>
  request.then(
    () => 'found',
    response => response.status,
  )
const names = items => items.map(({ name }) => name)

const filter = { and: [{ stock: { gt: 1 } }, { or: [{ categoryId: 1 }, { name: { startswith: 'Pen' } }] }] }
const list = await service()
  .get(`products${buildQuery({ filter, orderBy: ['name'], select: ['id', 'name'] })}`)
  .query()
const count = await service().get('products/$count').query()
const expand = { products: { select: ['name'], orderBy: 'name', top: 1 } }
const [category] = await service()
  .get(`categories${buildQuery({ filter: { name: 'Kitchen' }, expand })}`)
  .query()
const item = await service().get("products('mug')").query({ $expand: 'category', $select: 'name,price' })
const cup = { id: 'cup', name: 'Tea cup', price: 3.5, 'category@odata.bind': 'categories(1)' }
const created = await service().post('products', cup).query()
const changed = await service().patch("products('cup')", { name: 'Tea cup, blue' }).query()
const read = await service().get("products('cup')").query({ $expand: 'category($select=name)' })
const batch = await service()
  .get("products('pan')")
  .post('products', { id: 'pen', name: 'Pen', categoryId: 2 })
  .get('products?$filter=categoryId eq 2&$orderby=name')
  .batch()
// Reads in a batch with a change set lack a boundary before them, so this one has none.
const changes = await service(true)
  .post('products', { id: 'ink', name: 'Ink', categoryId: 2 })
  .patch("products('ink')", { stock: 4 })
  .batch()
const undone = await service(true)
  .post('products', { id: 'gum', name: 'Gum' })
  .post('products', { id: 'ink', name: 'Again' })
  .batch()
const gone = await statusOf(service().get("products('gum')").query())
const deleted = await service().delete("products('pen')").query()
const missing = await statusOf(service().get("products('pen')").query())
const refused = await statusOf(service().post('products', { id: 'ink', name: 'Again' }).query())

process.stdout.write(
  JSON.stringify({
    list: names(list),
    count,
    expand: names(category.products),
    item: [item.name, item.price, item.category.name],
    created: created.id ?? created.status ?? created,
    changed: changed.name ?? changed.status ?? changed,
    read: [read.name, read.category.name],
    batch: batch.map(({ status, body }) => [status, Array.isArray(body) ? names(body) : body.name]),
    changes: changes.map(({ status }) => status),
    undone: [undone.map(({ status }) => status), gone],
    deleted: deleted?.status ?? deleted,
    missing,
    refused,
  }),
)
