// Drives the client that odata2ts generated into client/, and prints what each step returned. Usage: drive-client.mjs URL

import { FetchClient } from '@odata2ts/http-client-fetch'
import library from './client/LibraryService.js'

const [url] = process.argv.slice(2)
const service = new library.LibraryService(new FetchClient(), url)
const isbn = '9780000000019'
const branch = {
  code: 'NEW',
  name: 'New',
  address: { street: 'S', city: 'C', postalCode: '12345', country: { code: 'DE' } },
}

const steps = {
  list: async () => {
    const { data } = await service
      .books()
      .query((query, book) =>
        query
          .select('title', 'pages')
          .filter(book.pages.gt(300))
          .filter(book.title.contains('a'))
          .orderBy(book.title.asc())
          .top(3)
          .count(),
      )
    return { count: data['@odata.count'], titles: data.value.map(({ title }) => title) }
  },
  lambda: async () => {
    const { data } = await service.books().query((query, book) =>
      query
        .select('title')
        .filter(book.keywords.any(keyword => keyword.it.eq('gothic')))
        .orderBy(book.title.asc()),
    )
    return data.value.map(({ title }) => title)
  },
  expand: async () => {
    const { data } = await service
      .books(isbn)
      .query(query => query.select('title').expanding('authors', nested => nested.select('name')))
    return { title: data.title, authors: data.authors.map(({ name }) => name.family) }
  },
  compoundKey: async () => (await service.copies({ isbn, number: 1 }).query()).data.condition,
  complexProperty: async () => (await service.branches('MAIN').address().query()).data.street,
  collectionProperty: async () => (await service.books(isbn).keywords().query()).data.value,
  singleton: async () => (await service.rules().query()).data.loanPeriod,
  create: async () => (await service.branches().create(branch)).data.name,
  patch: async () => (await service.branches('NEW').patch({ name: 'Newer' })).status,
  patchComplexProperty: async () => (await service.branches('NEW').address().patch({ street: 'T' })).status,
  read: async () => {
    const { name, address } = (await service.branches('NEW').query()).data
    return [name, address.street, address.city]
  },
  createContained: async () => (await service.books(isbn).reviews().create({ stars: 3 })).data.number,
  deleteContained: async () => (await service.books(isbn).reviews(3).delete()).status,
  missing: () =>
    service
      .books('9780000000000')
      .query()
      .catch(error => error.status),
}

const results = {}
for (const [name, run] of Object.entries(steps)) {
  try {
    results[name] = await run()
  } catch (error) {
    results[name] = String(error)
  }
}
process.stdout.write(JSON.stringify(results))
