import { createRequire } from 'node:module'

// Drives the client in `folder` against a service, and prints what it found.
const [url = '', folder = ''] = process.argv.slice(2)
const { batch, changeset, shop } = createRequire(import.meta.url)(`${folder}/index.js`)
const { productsApi, categoriesApi } = shop()
const destination = { url: new URL(url).origin }
const basePath = new URL(url).pathname
const run = builder => builder.setBasePath(basePath).execute(destination)
const { schema } = productsApi
const names = items => items.map(({ name }) => name)

const list = await run(
  productsApi
    .requestBuilder()
    .getAll()
    .select(schema.ID, schema.NAME)
    .filter(schema.STOCK.greaterThan(1))
    .orderBy(schema.NAME),
)
const count = await run(productsApi.requestBuilder().getAll().count())
const [category] = await run(
  categoriesApi
    .requestBuilder()
    .getAll()
    .filter(categoriesApi.schema.NAME.equals('Kitchen'))
    .expand(categoriesApi.schema.PRODUCTS.select(schema.NAME).orderBy(schema.NAME)),
)
const mug = await run(productsApi.requestBuilder().getByKey('mug').select(schema.ALL_FIELDS).expand(schema.CATEGORY))
const created = await run(
  productsApi
    .requestBuilder()
    .create(productsApi.entityBuilder().id('cup').name('Tea cup').stock(3).categoryId(1).build()),
)
created.name = 'Tea cup, blue'
await run(productsApi.requestBuilder().update(created))
const changed = await run(productsApi.requestBuilder().getByKey('cup').expand(schema.CATEGORY))

const product = (id, name) => productsApi.entityBuilder().id(id).name(name).categoryId(2).build()
const responses = await run(
  batch(
    productsApi.requestBuilder().getByKey('pan'),
    changeset(
      productsApi.requestBuilder().create(product('pen', 'Pen')),
      productsApi.requestBuilder().create(product('ink', 'Ink')),
    ),
    productsApi.requestBuilder().getAll().filter(schema.CATEGORY_ID.equals(2)).orderBy(schema.NAME),
  ),
)
const [read, changes, after] = responses
await run(productsApi.requestBuilder().delete('pen'))
const missing = await run(productsApi.requestBuilder().getByKey('pen')).then(
  () => 'found',
  error => error.cause?.response?.status ?? error.rootCause?.response?.status ?? String(error),
)

process.stdout.write(
  JSON.stringify({
    list: names(list),
    count,
    expand: names(category.products),
    item: [mug.name, mug.price.toString(), mug.category.name],
    create: [created.id, changed.name, changed.category.name],
    batch: [
      responses.map(each => each.isSuccess()),
      read.as(productsApi)[0].name,
      changes.responses.map(each => each.as(productsApi).name),
      names(after.as(productsApi)),
    ],
    missing,
  }),
)
