import type { Library } from '../../generated/library/client.js'
import type { OperationCase } from './operation-case.js'

const isbn = '9780141439518'
const tag = '"1"'
const book = { isbn, title: 'Emma', '@odata.etag': tag }
const bookBody = { isbn, title: 'Emma' }
const copyKey = { isbn, number: 2 }
const copy = { ...copyKey, branchCode: 'N', '@odata.etag': tag }
const author = { id: '11111111-2222-3333-4444-555555555555', active: true }
const member = { id: author.id, cardNumber: '12345678', '@odata.etag': tag }
const loan = { id: 7, isbn, '@odata.etag': 'W/"1"' }
const branch = { code: 'NO', name: 'North', '@odata.etag': 'W/"1"' }
const review = { number: 1, stars: 5 }
const rules = { id: 'r', finePerDay: 0.2, '@odata.etag': tag }
const address = { street: 'S', city: 'C', postalCode: '1', country: { code: 'NO' } }
const page = (...value: readonly object[]) => ({ value, count: undefined, nextLink: undefined })
const list = (...value: readonly object[]) => ({ handlerResult: { value }, clientResult: page(...value) })
const item = (value: object) => ({ handlerResult: value, clientResult: value })
const nothing = { handlerResult: undefined, clientResult: undefined }

const photo = { id: '00000000-0000-4000-8000-000000000009', caption: null, added: '2024-01-31T12:00:00Z' }

export const libraryOperations: readonly OperationCase<Library>[] = [
  {
    operation: 'books.list',
    call: c => c.books.list({ top: 3 }).page(),
    handlerCall: { pageSize: 50, query: { top: 3 } },
    ...list(book),
  },
  {
    operation: 'books.create',
    call: c => c.books.create(bookBody),
    handlerCall: { body: { ...bookBody, language: 'en', genres: 'none' } },
    ...item(book),
  },
  { operation: 'books.count', call: c => c.books.count(), handlerCall: {}, handlerResult: 3, clientResult: 3 },
  {
    operation: 'books.delta',
    call: c => c.books.delta().page(),
    handlerCall: {},
    handlerResult: { value: [book], deltaToken: 'd' },
    clientResult: { ...page(book), deltaLink: 'https://service.example/v1/books/delta?$deltatoken=d' },
  },
  {
    operation: 'books.audiobooks.list',
    call: c => c.books.audiobooks.list().page(),
    handlerCall: {},
    ...list({ ...book, narrator: 'N' }),
  },
  {
    operation: 'books.mostBorrowed',
    call: c => c.books.mostBorrowed({ limit: 5 }).page(),
    handlerCall: { parameters: { limit: 5 } },
    ...list(book),
  },
  { operation: 'books.get', call: c => c.books.get(isbn), handlerCall: { keys: { isbn } }, ...item(book) },
  {
    operation: 'books.replace',
    call: c => c.books.replace(isbn, { title: 'Emma' }, { ifMatch: tag }),
    handlerCall: { keys: { isbn }, body: { title: 'Emma', language: 'en' } },
    ...item(book),
  },
  {
    operation: 'books.update',
    call: c => c.books.update(isbn, { '@odata.type': '#library.audiobook', narrator: 'N' }, { ifMatch: tag }),
    handlerCall: { keys: { isbn }, body: { '@odata.type': '#library.audiobook', narrator: 'N' } },
    ...item(book),
  },
  {
    operation: 'books.delete',
    call: c => c.books.delete(isbn, { ifMatch: tag }),
    handlerCall: { keys: { isbn } },
    ...nothing,
  },
  {
    operation: 'books.availability',
    call: c => c.books.availability(isbn, { on: '2024-01-31' }),
    handlerCall: { keys: { isbn }, parameters: { on: '2024-01-31' } },
    ...item({ copies: 3, free: 1, nextFree: null }),
  },
  {
    operation: 'books.copies.list',
    call: c => c.books.copies.list(isbn).page(),
    handlerCall: { keys: { isbn } },
    ...list(copy),
  },
  {
    operation: 'books.authors.list',
    call: c => c.books.authors.list(isbn).page(),
    handlerCall: { keys: { isbn } },
    ...list(author),
  },
  { operation: 'books.prequel.get', call: c => c.books.prequel.get(isbn), handlerCall: { keys: { isbn } }, ...nothing },
  {
    operation: 'books.sequels.list',
    call: c => c.books.sequels.list(isbn).page(),
    handlerCall: { keys: { isbn } },
    ...list(book),
  },
  {
    operation: 'books.admirers.list',
    call: c => c.books.admirers.list(isbn).page(),
    handlerCall: { keys: { isbn } },
    ...list(member),
  },
  {
    operation: 'books.reviews.list',
    call: c => c.books.reviews.list(isbn).page(),
    handlerCall: { keys: { isbn } },
    ...list(review),
  },
  {
    operation: 'books.reviews.create',
    call: c => c.books.reviews.create(isbn, { stars: 5 }),
    handlerCall: { keys: { isbn }, body: { stars: 5 } },
    ...item(review),
  },
  {
    operation: 'books.reviews.get',
    call: c => c.books.reviews.get(isbn, 1),
    handlerCall: { keys: { isbn, number: 1 } },
    ...item(review),
  },
  {
    operation: 'books.reviews.delete',
    call: c => c.books.reviews.delete(isbn, 1),
    handlerCall: { keys: { isbn, number: 1 } },
    ...nothing,
  },
  { operation: 'copies.list', call: c => c.copies.list().page(), handlerCall: {}, ...list(copy) },
  {
    operation: 'copies.create',
    call: c =>
      c.copies.create({
        ...copyKey,
        branchCode: 'N',
        acquired: '2024-01-31',
        shelf: { type: 'Point', coordinates: [1, 2] },
      }),
    handlerCall: {
      body: {
        ...copyKey,
        branchCode: 'N',
        acquired: '2024-01-31',
        shelf: { type: 'Point', coordinates: [1, 2] },
        condition: 'good',
      },
    },
    ...item(copy),
  },
  { operation: 'copies.get', call: c => c.copies.get(copyKey), handlerCall: { keys: copyKey }, ...item(copy) },
  {
    operation: 'copies.replace',
    call: c => c.copies.replace(copyKey, { branchCode: 'N', acquired: '2024-01-31' }, { ifMatch: tag }),
    handlerCall: { keys: copyKey, body: { branchCode: 'N', acquired: '2024-01-31' } },
    ...item(copy),
  },
  {
    operation: 'copies.update',
    call: c => c.copies.update(copyKey, { paid: 9.5 }, { ifMatch: tag }),
    handlerCall: { keys: copyKey, body: { paid: 9.5 } },
    ...item(copy),
  },
  {
    operation: 'copies.delete',
    call: c => c.copies.delete(copyKey, { ifMatch: tag }),
    handlerCall: { keys: copyKey },
    ...nothing,
  },
  {
    operation: 'copies.loans.list',
    call: c => c.copies.loans.list(copyKey).page(),
    handlerCall: { keys: copyKey },
    ...list(loan),
  },
  { operation: 'loans.list', call: c => c.loans.list().page(), handlerCall: {}, ...list(loan) },
  {
    operation: 'loans.create',
    call: c => c.loans.create({ isbn, copyNumber: 2, memberId: author.id, due: '2024-02-01' }),
    handlerCall: { body: { isbn, copyNumber: 2, memberId: author.id, due: '2024-02-01' } },
    ...item(loan),
  },
  { operation: 'loans.get', call: c => c.loans.get(7), handlerCall: { keys: { id: 7 } }, ...item(loan) },
  {
    operation: 'loans.update',
    call: c => c.loans.update(7, { returned: null }),
    handlerCall: { keys: { id: 7 }, body: { returned: null } },
    ...item(loan),
  },
  {
    operation: 'loans.renew',
    call: c => c.loans.renew(7, {}),
    handlerCall: { keys: { id: 7 }, parameters: {} },
    ...item(loan),
  },
  { operation: 'authors.list', call: c => c.authors.list().page(), handlerCall: {}, ...list(author) },
  {
    operation: 'authors.create',
    call: c => c.authors.create({ name: { family: 'Austen' } }),
    handlerCall: { body: { name: { family: 'Austen' }, active: true } },
    ...item(author),
  },
  {
    operation: 'authors.get',
    call: c => c.authors.get(author.id),
    handlerCall: { keys: { id: author.id } },
    ...item(author),
  },
  {
    operation: 'authors.update',
    call: c => c.authors.update(author.id, { active: false }),
    handlerCall: { keys: { id: author.id }, body: { active: false } },
    ...item(author),
  },
  {
    operation: 'authors.books.list',
    call: c => c.authors.books.list(author.id).page(),
    handlerCall: { keys: { id: author.id } },
    ...list(book),
  },
  { operation: 'members.list', call: c => c.members.list().page(), handlerCall: {}, ...list(member) },
  {
    operation: 'members.create',
    call: c =>
      c.members.create({
        name: { family: 'A' },
        cardNumber: '12345678',
        contact: { phones: [{ number: '1' }] },
        joined: '2024-01-01',
      }),
    handlerCall: {
      body: {
        name: { family: 'A' },
        cardNumber: '12345678',
        contact: { phones: [{ number: '1', kind: 'mobile' }] },
        joined: '2024-01-01',
      },
    },
    ...item(member),
  },
  {
    operation: 'members.get',
    call: c => c.members.get(author.id),
    handlerCall: { keys: { id: author.id } },
    ...item(member),
  },
  {
    operation: 'members.update',
    call: c => c.members.update(author.id, { address }, { ifMatch: tag }),
    handlerCall: { keys: { id: author.id }, body: { address } },
    ...item(member),
  },
  {
    operation: 'members.delete',
    call: c => c.members.delete(author.id, { ifMatch: tag }),
    handlerCall: { keys: { id: author.id } },
    ...nothing,
  },
  {
    operation: 'members.getByCardNumber',
    call: c => c.members.getByCardNumber("12'45678"),
    handlerCall: { keys: { cardNumber: "12'45678" } },
    ...item(member),
  },
  {
    operation: 'members.updateByCardNumber',
    call: c => c.members.updateByCardNumber('12345678', { address }, { ifMatch: tag }),
    handlerCall: { keys: { cardNumber: '12345678' }, body: { address } },
    ...item(member),
  },
  {
    operation: 'members.loans.list',
    call: c => c.members.loans.list(author.id).page(),
    handlerCall: { keys: { id: author.id } },
    ...list(loan),
  },
  {
    operation: 'members.favourites.list',
    call: c => c.members.favourites.list(author.id).page(),
    handlerCall: { keys: { id: author.id } },
    ...list(book),
  },
  {
    operation: 'members.loansBetween',
    call: c => c.members.loansBetween(author.id, { from: '2024-01-01', to: '2024-02-01' }).page(),
    handlerCall: { keys: { id: author.id }, parameters: { from: '2024-01-01', to: '2024-02-01' } },
    handlerResult: [loan],
    clientResult: page(loan),
  },
  {
    operation: 'members.favouritesAmong',
    call: c => c.members.favouritesAmong(author.id, { isbns: [isbn] }),
    handlerCall: { parameters: { isbns: [isbn] } },
    handlerResult: [isbn],
    clientResult: [isbn],
  },
  { operation: 'branches.list', call: c => c.branches.list().page(), handlerCall: {}, ...list(branch) },
  {
    operation: 'branches.create',
    call: c => c.branches.create({ code: 'NO', name: 'North', address }),
    handlerCall: { body: { code: 'NO', name: 'North', address } },
    ...item(branch),
  },
  {
    operation: 'branches.get',
    call: c => c.branches.get('NO'),
    handlerCall: { keys: { code: 'NO' } },
    ...item(branch),
  },
  {
    operation: 'branches.update',
    call: c => c.branches.update('NO', { opening: [{ day: 'monday', opens: '08:00:00', closes: '18:00:00' }] }),
    handlerCall: {
      keys: { code: 'NO' },
      body: { opening: [{ day: 'monday', opens: '08:00:00', closes: '18:00:00' }] },
    },
    ...item(branch),
  },
  {
    operation: 'branches.allSubBranches',
    call: c => c.branches.allSubBranches('NO').page(),
    handlerCall: { keys: { code: 'NO' } },
    handlerResult: [branch],
    clientResult: page(branch),
  },
  {
    operation: 'openBranches',
    call: c => c.openBranches({ at: '2024-01-31T12:00:00Z' }).page(),
    handlerCall: { parameters: { at: '2024-01-31T12:00:00Z' } },
    handlerResult: [branch],
    clientResult: page(branch),
  },
  {
    operation: 'sendReminders',
    call: c => c.sendReminders({ dueBefore: '2024-01-31' }),
    handlerCall: { parameters: { dueBefore: '2024-01-31' } },
    ...nothing,
  },
  {
    operation: 'books.cover.get',
    call: async c => (await c.books.cover.get(isbn))?.text(),
    handlerCall: { keys: { isbn } },
    handlerResult: { mediaType: 'image/png', bytes: new TextEncoder().encode('bytes') },
    clientResult: 'bytes',
  },
  {
    operation: 'books.cover.replace',
    call: c => c.books.cover.replace(isbn, new Blob(['bytes'], { type: 'image/png' }), { ifMatch: tag }),
    handlerCall: { keys: { isbn }, body: { mediaType: 'image/png', bytes: new TextEncoder().encode('bytes') } },
    ...nothing,
  },
  {
    operation: 'books.cover.delete',
    call: c => c.books.cover.delete(isbn),
    handlerCall: { keys: { isbn } },
    ...nothing,
  },
  { operation: 'photos.list', call: c => c.photos.list().page(), handlerCall: {}, ...list(photo) },
  {
    operation: 'photos.create',
    call: c => c.photos.create(new TextEncoder().encode('bytes'), { contentType: 'image/gif' }),
    handlerCall: { body: { mediaType: 'image/gif', bytes: new TextEncoder().encode('bytes') } },
    ...item(photo),
  },
  {
    operation: 'photos.get',
    call: c => c.photos.get(photo.id),
    handlerCall: { keys: { id: photo.id } },
    ...item(photo),
  },
  {
    operation: 'photos.update',
    call: c => c.photos.update(photo.id, { caption: 'North' }),
    handlerCall: { keys: { id: photo.id }, body: { caption: 'North' } },
    ...item(photo),
  },
  {
    operation: 'photos.delete',
    call: c => c.photos.delete(photo.id),
    handlerCall: { keys: { id: photo.id } },
    ...nothing,
  },
  {
    operation: 'photos.value.get',
    call: async c => (await c.photos.value.get(photo.id))?.headers.get('content-type'),
    handlerCall: { keys: { id: photo.id } },
    handlerResult: { mediaType: 'image/png', bytes: new Uint8Array(1) },
    clientResult: 'image/png',
  },
  {
    operation: 'photos.value.replace',
    call: c => c.photos.value.replace(photo.id, 'bytes', { contentType: 'image/svg+xml' }),
    handlerCall: { keys: { id: photo.id }, body: { mediaType: 'image/svg+xml' } },
    ...nothing,
  },
  { operation: 'rules.get', call: c => c.rules.get(), handlerCall: {}, ...item(rules) },
  {
    operation: 'rules.update',
    call: c => c.rules.update({ finePerDay: 0.1 }, { ifMatch: tag }),
    handlerCall: { body: { finePerDay: 0.1 } },
    ...item(rules),
  },
]
