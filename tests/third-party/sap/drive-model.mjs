// Runs in the page: drives the OData V4 model of OpenUI5 against a service, and returns what it found.
export async function driveModel(url) {
  const load = name =>
    new Promise((resolve, reject) => {
      globalThis.sap.ui.require([name], resolve, reject)
    })
  const Model = await load('sap/ui/model/odata/v4/ODataModel')
  const Sorter = await load('sap/ui/model/Sorter')
  const Filter = await load('sap/ui/model/Filter')
  const model = new Model({
    serviceUrl: `${url}/`,
    groupId: '$auto',
    updateGroupId: 'changes',
    operationMode: 'Server',
  })
  const named = contexts => contexts.map(context => context.getProperty('name'))

  const byName = [new Sorter('name')]
  const inStock = [new Filter('stock', 'GT', 1)]
  const list = model.bindList('/products', undefined, byName, inStock, {
    $count: true,
    $select: 'id,name,stock',
    $expand: { category: { $select: 'name' } },
  })
  const contexts = await list.requestContexts(0, 10)
  const listed = contexts.map(context => [context.getProperty('name'), context.getProperty('category/name')])
  const length = await list.getHeaderContext().requestProperty('$count')

  const context = model.bindContext("/products('mug')", undefined, { $expand: 'category' }).getBoundContext()
  const item = [await context.requestProperty('name'), await context.requestProperty('category/name')]

  // Both creates are in one change set of one batch.
  const all = model.bindList('/products', undefined, byName, undefined, { $select: 'id,name' })
  await all.requestContexts(0, 100)
  const made = ['pen', 'ink'].map(id =>
    all.create({ id, name: id === 'pen' ? 'Pen' : 'Ink', 'category@odata.bind': 'categories(2)' }, true),
  )
  await model.submitBatch('changes')
  await Promise.all(made.map(each => each.created()))
  const bound = await model
    .bindContext("/products('pen')/category")
    .requestObject()
    .then(({ name }) => name)

  made[0].setProperty('name', 'Pen, red')
  await model.submitBatch('changes')
  await made[1].delete('$auto')
  const left = named(await model.bindList('/products', undefined, byName, undefined, {}).requestContexts(0, 100))
  const missing = await model
    .bindContext("/products('ink')")
    .requestObject()
    .then(
      () => 'found',
      error => error.status,
    )
  return { list: listed, length, item, bound, left, missing }
}
