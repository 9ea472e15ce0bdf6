import { createServer } from 'node:http'
import { createRequire } from 'node:module'

// Recipes, served by simple-odata-server over an in-memory database. Prints the address of the service.

const require = createRequire(import.meta.url)
const Datastore = require('@seald-io/nedb')
const ODataServer = require('simple-odata-server')
const adapter = require('simple-odata-server-nedb')

const titles = ['Lasagne', 'pasta al pomodoro', 'Crème brûlée', "Shepherd's pie", 'Żurek', 'lasagne verde']
const recipes = Array.from({ length: 36 }, (_, index) => ({
  _id: `r${index}`,
  title: `${titles[index % 6]}${index < 6 ? '' : ` ${index}`}`,
  minutes: index % 7 === 0 ? null : (index * 13) % 90,
  rating: index % 5 === 0 ? null : (index % 10) / 2,
  vegan: index % 4 === 0 ? null : index % 2 === 0,
  cuisine: ['it', 'fr', 'IT', null][index % 4],
}))
const database = new Datastore({ inMemoryOnly: true })
await database.insertAsync(recipes)

const model = {
  namespace: 'recipes',
  entityTypes: {
    RecipeType: {
      _id: { type: 'Edm.String', key: true },
      title: { type: 'Edm.String' },
      minutes: { type: 'Edm.Int32' },
      rating: { type: 'Edm.Double' },
      vegan: { type: 'Edm.Boolean' },
      cuisine: { type: 'Edm.String' },
    },
  },
  entitySets: { recipes: { entityType: 'recipes.RecipeType' } },
}
let odata
const server = createServer((request, response) => odata.handle(request, response))
server.listen(0, '127.0.0.1', () => {
  const root = `http://127.0.0.1:${server.address().port}`
  odata = ODataServer(`${root}/`)
    .model(model)
    .adapter(adapter((_set, done) => done(null, database)))
  process.stdout.write(`${root}\n`)
})
