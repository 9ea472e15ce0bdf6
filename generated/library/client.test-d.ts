import { expectTypeOf, it } from 'vitest'
import type { createLibrary } from './client.js'

declare const library: ReturnType<typeof createLibrary>

it('`levels` expands the same relation of the related items', async () => {
  const { value } = await library.books.list({ select: ['title'], expand: { sequels: { select: ['isbn'], levels: 2 } } }).page()
  for (const { title, sequels } of value) {
    expectTypeOf(title).toEqualTypeOf<string>()
    for (const sequel of sequels) {
      expectTypeOf(sequel.isbn).toEqualTypeOf<string>()
      expectTypeOf(sequel.sequels?.[0]?.sequels?.[0]?.isbn).toEqualTypeOf<string | undefined>()
    }
  }
  const book = await library.books.get('1', { expand: { prequel: { levels: 'max' } } })
  expectTypeOf(book.prequel?.prequel?.prequel?.title).toEqualTypeOf<string | undefined>()
  const plain = await library.books.get('1', { expand: { prequel: true } })
  // @ts-expect-error without levels, a related item has no relations
  void plain.prequel?.prequel
  // @ts-expect-error levels is an option of expand only
  library.books.list({ levels: 2 })
})
