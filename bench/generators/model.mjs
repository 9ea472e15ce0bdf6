/**
 * A synthetic service of any size, for measurements: one entity type, one entity set and five operations (list, create,
 * read, change, remove) for each of `sets`; every entity has twelve structural properties and one relation. Relations
 * stay within groups of ten, so that the model has no long chain.
 *
 * @param {number} sets
 * @returns {Model}
 *
 * @typedef {object} Model
 * @property {readonly Entity[]} entities
 *
 * @typedef {object} Entity
 * @property {string} type name of the entity type, `archivedInvoice`
 * @property {string} set name of its entity set, `archivedInvoices`
 * @property {string} related the type that its relation `related` leads to
 */
export function model(sets) {
  const types = Array.from({ length: sets }, (_, index) => typeName(index))
  return {
    entities: types.map((type, index) => {
      const group = index - (index % 10)
      const neighbour = group + ((index + 1) % 10)
      return { type, set: `${type}s`, related: types[neighbour] ?? types[group] ?? type }
    }),
  }
}

/** The twelve properties of every entity: the CSDL type, and typical annotations. */
export const properties = {
  id: { type: 'String', computed: true },
  displayName: { type: 'String', maxLength: 256 },
  description: { type: 'String', nullable: true },
  status: { type: 'status' },
  createdDateTime: { type: 'DateTimeOffset', computed: true },
  isEnabled: { type: 'Boolean' },
  quantity: { type: 'Int32' },
  amount: { type: 'Double', nullable: true },
  externalId: { type: 'Guid', nullable: true },
  dueDate: { type: 'Date', nullable: true },
  tags: { type: 'String', collection: true },
  address: { type: 'address', nullable: true },
}

/** The complex type and the enumeration that the entities share. */
export const address = ['street', 'city', 'postalCode', 'country']
export const statuses = ['draft', 'active', 'suspended', 'closed']

const kinds = [
  ...['archived', 'approved', 'blocked', 'closed', 'daily', 'draft', 'external', 'final', 'foreign', 'global'],
  ...['hidden', 'internal', 'joint', 'linked', 'local', 'monthly', 'nested', 'open', 'partial', 'pending'],
  ...['private', 'public', 'regional', 'shared', 'yearly'],
]
const things = [
  ...['account', 'agreement', 'budget', 'campaign', 'contract', 'customer', 'delivery', 'invoice', 'journal', 'ledger'],
  ...['location', 'order', 'payment', 'product', 'project', 'receipt', 'shipment', 'supplier', 'ticket', 'warehouse'],
]

function typeName(index) {
  const kind = kinds[Math.floor(index / things.length) % kinds.length] ?? ''
  const thing = things[index % things.length] ?? ''
  const round = Math.floor(index / (things.length * kinds.length))
  return `${kind}${thing[0]?.toUpperCase()}${thing.slice(1)}${round === 0 ? '' : round + 1}`
}
