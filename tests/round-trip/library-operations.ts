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
const list = (...value: readonly object[]) => ({ answers: { value }, gives: page(...value) })
const item = (value: object) => ({ answers: value, gives: value })
const nothing = { answers: undefined, gives: undefined }

export const libraryOperations: readonly OperationCase<Library>[] = [
  {
    operation: 'books.list',
    use: c => c.books.list({ top: 3 }).page(),
    asks: { pageSize: 50, query: { top: 3 } },
    ...list(book),
  },
  {
    operation: 'books.create',
    use: c => c.books.create(bookBody),
    asks: { body: { ...bookBody, language: 'en', genres: 'none' } },
    ...item(book),
  },
  { operation: 'books.count', use: c => c.books.count(), asks: {}, answers: 3, gives: 3 },
  {
    operation: 'books.delta',
    use: c => c.books.delta().page(),
    asks: {},
    answers: { value: [book], deltaToken: 'd' },
    gives: { ...page(book), deltaLink: 'https://service.example/v1/books/delta?$deltatoken=d' },
  },
  {
    operation: 'books.audiobooks.list',
    use: c => c.books.audiobooks.list().page(),
    asks: {},
    ...list({ ...book, narrator: 'N' }),
  },
  {
    operation: 'books.mostBorrowed',
    use: c => c.books.mostBorrowed({ limit: 5 }).page(),
    asks: { parameters: { limit: 5 } },
    ...list(book),
  },
  { operation: 'books.get', use: c => c.books.get(isbn), asks: { keys: { isbn } }, ...item(book) },
  {
    operation: 'books.replace',
    use: c => c.books.replace(isbn, { title: 'Emma' }, { ifMatch: tag }),
    asks: { keys: { isbn }, body: { title: 'Emma', language: 'en' } },
    ...item(book),
  },
  {
    operation: 'books.update',
    use: c => c.books.update(isbn, { '@odata.type': '#library.audiobook', narrator: 'N' }, { ifMatch: tag }),
    asks: { keys: { isbn }, body: { '@odata.type': '#library.audiobook', narrator: 'N' } },
    ...item(book),
  },
  { operation: 'books.delete', use: c => c.books.delete(isbn, { ifMatch: tag }), asks: { keys: { isbn } }, ...nothing },
  {
    operation: 'books.availability',
    use: c => c.books.availability(isbn, { on: '2024-01-31' }),
    asks: { keys: { isbn }, parameters: { on: '2024-01-31' } },
    ...item({ copies: 3, free: 1, nextFree: null }),
  },
  {
    operation: 'books.copies.list',
    use: c => c.books.copies.list(isbn).page(),
    asks: { keys: { isbn } },
    ...list(copy),
  },
  {
    operation: 'books.authors.list',
    use: c => c.books.authors.list(isbn).page(),
    asks: { keys: { isbn } },
    ...list(author),
  },
  { operation: 'books.prequel.get', use: c => c.books.prequel.get(isbn), asks: { keys: { isbn } }, ...nothing },
  {
    operation: 'books.sequels.list',
    use: c => c.books.sequels.list(isbn).page(),
    asks: { keys: { isbn } },
    ...list(book),
  },
  {
    operation: 'books.reviews.list',
    use: c => c.books.reviews.list(isbn).page(),
    asks: { keys: { isbn } },
    ...list(review),
  },
  {
    operation: 'books.reviews.create',
    use: c => c.books.reviews.create(isbn, { stars: 5 }),
    asks: { keys: { isbn }, body: { stars: 5 } },
    ...item(review),
  },
  {
    operation: 'books.reviews.get',
    use: c => c.books.reviews.get(isbn, 1),
    asks: { keys: { isbn, number: 1 } },
    ...item(review),
  },
  {
    operation: 'books.reviews.delete',
    use: c => c.books.reviews.delete(isbn, 1),
    asks: { keys: { isbn, number: 1 } },
    ...nothing,
  },
  { operation: 'copies.list', use: c => c.copies.list().page(), asks: {}, ...list(copy) },
  {
    operation: 'copies.create',
    use: c =>
      c.copies.create({
        ...copyKey,
        branchCode: 'N',
        acquired: '2024-01-31',
        shelf: { type: 'Point', coordinates: [1, 2] },
      }),
    asks: {
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
  { operation: 'copies.get', use: c => c.copies.get(copyKey), asks: { keys: copyKey }, ...item(copy) },
  {
    operation: 'copies.replace',
    use: c => c.copies.replace(copyKey, { branchCode: 'N', acquired: '2024-01-31' }, { ifMatch: tag }),
    asks: { keys: copyKey, body: { branchCode: 'N', acquired: '2024-01-31' } },
    ...item(copy),
  },
  {
    operation: 'copies.update',
    use: c => c.copies.update(copyKey, { paid: 9.5 }, { ifMatch: tag }),
    asks: { keys: copyKey, body: { paid: 9.5 } },
    ...item(copy),
  },
  {
    operation: 'copies.delete',
    use: c => c.copies.delete(copyKey, { ifMatch: tag }),
    asks: { keys: copyKey },
    ...nothing,
  },
  {
    operation: 'copies.loans.list',
    use: c => c.copies.loans.list(copyKey).page(),
    asks: { keys: copyKey },
    ...list(loan),
  },
  { operation: 'loans.list', use: c => c.loans.list().page(), asks: {}, ...list(loan) },
  {
    operation: 'loans.create',
    use: c => c.loans.create({ isbn, copyNumber: 2, memberId: author.id, due: '2024-02-01' }),
    asks: { body: { isbn, copyNumber: 2, memberId: author.id, due: '2024-02-01' } },
    ...item(loan),
  },
  { operation: 'loans.get', use: c => c.loans.get(7), asks: { keys: { id: 7 } }, ...item(loan) },
  {
    operation: 'loans.update',
    use: c => c.loans.update(7, { returned: null }),
    asks: { keys: { id: 7 }, body: { returned: null } },
    ...item(loan),
  },
  {
    operation: 'loans.renew',
    use: c => c.loans.renew(7, {}),
    asks: { keys: { id: 7 }, parameters: {} },
    ...item(loan),
  },
  { operation: 'authors.list', use: c => c.authors.list().page(), asks: {}, ...list(author) },
  {
    operation: 'authors.create',
    use: c => c.authors.create({ name: { family: 'Austen' } }),
    asks: { body: { name: { family: 'Austen' }, active: true } },
    ...item(author),
  },
  { operation: 'authors.get', use: c => c.authors.get(author.id), asks: { keys: { id: author.id } }, ...item(author) },
  {
    operation: 'authors.update',
    use: c => c.authors.update(author.id, { active: false }),
    asks: { keys: { id: author.id }, body: { active: false } },
    ...item(author),
  },
  {
    operation: 'authors.books.list',
    use: c => c.authors.books.list(author.id).page(),
    asks: { keys: { id: author.id } },
    ...list(book),
  },
  { operation: 'members.list', use: c => c.members.list().page(), asks: {}, ...list(member) },
  {
    operation: 'members.create',
    use: c =>
      c.members.create({
        name: { family: 'A' },
        cardNumber: '12345678',
        contact: { phones: [{ number: '1' }] },
        joined: '2024-01-01',
      }),
    asks: {
      body: {
        name: { family: 'A' },
        cardNumber: '12345678',
        contact: { phones: [{ number: '1', kind: 'mobile' }] },
        joined: '2024-01-01',
      },
    },
    ...item(member),
  },
  { operation: 'members.get', use: c => c.members.get(author.id), asks: { keys: { id: author.id } }, ...item(member) },
  {
    operation: 'members.update',
    use: c => c.members.update(author.id, { address }, { ifMatch: tag }),
    asks: { keys: { id: author.id }, body: { address } },
    ...item(member),
  },
  {
    operation: 'members.delete',
    use: c => c.members.delete(author.id, { ifMatch: tag }),
    asks: { keys: { id: author.id } },
    ...nothing,
  },
  {
    operation: 'members.loans.list',
    use: c => c.members.loans.list(author.id).page(),
    asks: { keys: { id: author.id } },
    ...list(loan),
  },
  {
    operation: 'members.favourites.list',
    use: c => c.members.favourites.list(author.id).page(),
    asks: { keys: { id: author.id } },
    ...list(book),
  },
  {
    operation: 'members.loansBetween',
    use: c => c.members.loansBetween(author.id, { from: '2024-01-01', to: '2024-02-01' }).page(),
    asks: { keys: { id: author.id }, parameters: { from: '2024-01-01', to: '2024-02-01' } },
    answers: [loan],
    gives: page(loan),
  },
  {
    operation: 'members.favouritesAmong',
    use: c => c.members.favouritesAmong(author.id, { isbns: [isbn] }),
    asks: { parameters: { isbns: [isbn] } },
    answers: [isbn],
    gives: [isbn],
  },
  { operation: 'branches.list', use: c => c.branches.list().page(), asks: {}, ...list(branch) },
  {
    operation: 'branches.create',
    use: c => c.branches.create({ code: 'NO', name: 'North', address }),
    asks: { body: { code: 'NO', name: 'North', address } },
    ...item(branch),
  },
  { operation: 'branches.get', use: c => c.branches.get('NO'), asks: { keys: { code: 'NO' } }, ...item(branch) },
  {
    operation: 'branches.update',
    use: c => c.branches.update('NO', { opening: [{ day: 'monday', opens: '08:00:00', closes: '18:00:00' }] }),
    asks: { keys: { code: 'NO' }, body: { opening: [{ day: 'monday', opens: '08:00:00', closes: '18:00:00' }] } },
    ...item(branch),
  },
  {
    operation: 'branches.allSubBranches',
    use: c => c.branches.allSubBranches('NO').page(),
    asks: { keys: { code: 'NO' } },
    answers: [branch],
    gives: page(branch),
  },
  {
    operation: 'openBranches',
    use: c => c.openBranches({ at: '2024-01-31T12:00:00Z' }).page(),
    asks: { parameters: { at: '2024-01-31T12:00:00Z' } },
    answers: [branch],
    gives: page(branch),
  },
  {
    operation: 'sendReminders',
    use: c => c.sendReminders({ dueBefore: '2024-01-31' }),
    asks: { parameters: { dueBefore: '2024-01-31' } },
    ...nothing,
  },
  { operation: 'rules.get', use: c => c.rules.get(), asks: {}, ...item(rules) },
  {
    operation: 'rules.update',
    use: c => c.rules.update({ finePerDay: 0.1 }, { ifMatch: tag }),
    asks: { body: { finePerDay: 0.1 } },
    ...item(rules),
  },
]
