import type { BindingScope } from '../binding/context.js'
import type { TypeTable } from '../type-table.js'

/** A small library with every kind of type and property that the query language distinguishes. */
export const libraryTypes: TypeTable = {
  book: {
    kind: 'entityType',
    key: ['isbn'],
    properties: {
      isbn: { type: 'Edm.String' },
      title: { type: 'Edm.String' },
      subtitle: { type: 'Edm.String', nullable: true },
      pages: { type: 'Edm.Int32' },
      sold: { type: 'Edm.Int64' },
      price: { type: 'Edm.Decimal', scale: 2 },
      weight: { type: 'Edm.Double', nullable: true },
      rating: { type: 'Edm.Single' },
      inPrint: { type: 'Edm.Boolean' },
      published: { type: 'Edm.Date' },
      changed: { type: 'Edm.DateTimeOffset' },
      opens: { type: 'Edm.TimeOfDay' },
      readingTime: { type: 'Edm.Duration' },
      cover: { type: 'Edm.Binary', nullable: true },
      scan: { type: 'Edm.Stream', nullable: true },
      edition: { type: 'Edm.Guid' },
      genre: { type: 'genre' },
      formats: { type: 'formats' },
      language: { type: 'languageCode' },
      origin: { type: 'Edm.GeographyPoint', nullable: true },
      area: { type: 'Edm.GeographyPolygon', nullable: true },
      publisher: { type: 'address', nullable: true },
      keywords: { type: 'Edm.String', collection: true },
      addresses: { type: 'address', collection: true },
      editions: { type: 'Edm.Guid', collection: true },
    },
    navigation: {
      prequel: { type: 'book', nullable: true },
      copies: { type: 'copy', collection: true },
    },
  },
  audioBook: {
    kind: 'entityType',
    base: 'book',
    key: ['isbn'],
    properties: { isbn: { type: 'Edm.String' }, narrator: { type: 'Edm.String' } },
    navigation: { copies: { type: 'copy', collection: true } },
  },
  copy: {
    kind: 'entityType',
    key: ['isbn', 'number'],
    open: true,
    properties: { isbn: { type: 'Edm.String' }, number: { type: 'Edm.Int32' }, shelf: { type: 'Edm.String' } },
    navigation: { book: { type: 'book' }, branch: { type: 'branch', nullable: true } },
  },
  branch: {
    kind: 'entityType',
    key: ['id'],
    properties: { id: { type: 'Edm.Guid' }, name: { type: 'Edm.String' }, address: { type: 'address' } },
    navigation: {},
  },
  address: {
    kind: 'complexType',
    key: [],
    properties: { city: { type: 'Edm.String' }, zip: { type: 'Edm.String', nullable: true } },
    navigation: { nearest: { type: 'branch', nullable: true } },
  },
  genre: { kind: 'enumType', members: { novel: 0, poetry: 1, drama: 2 } },
  formats: { kind: 'enumType', flags: true, members: { paper: 1, audio: 2, digital: 4 } },
  languageCode: { kind: 'typeDefinition', type: 'Edm.String', maxLength: 2 },
}

/** What belongs to the sample types beside them. */
export const libraryScope: BindingScope = {
  namespace: 'library',
  container: { books: { kind: 'entitySet', type: 'book' }, today: { kind: 'singleton', type: 'book' } },
  functions: {
    isDue: {
      binding: { type: 'copy' },
      parameters: { on: { type: 'Edm.Date' }, strict: { type: 'Edm.Boolean', optional: true } },
      returns: { type: 'Edm.Boolean' },
    },
    bestOf: { parameters: { year: { type: 'Edm.Int32' } }, returns: { type: 'book', collection: true } },
  },
  parameters: { genres: { type: 'genre', collection: true }, least: { type: 'Edm.Int32' } },
}
