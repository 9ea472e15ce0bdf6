import type { Service } from '../../../spec/language/index.js'
import type { PassiveRule } from '../../rule/rule.js'

export const createLocation: PassiveRule = {
  kind: 'passive',
  id: 'create-location',
  area: 'writing',
  statement: 'The response to a create names the address of the new item.',
  advice:
    'Send the header Location with each 201, and Location or OData-EntityId with a 204. Clients read it to go on with the new item. See OData 4.01 Protocol, 11.4.2, and RFC 9110, section 10.2.2.',
  aspects: ['create.location'],
  covers: ['endpoint.create'],
  severity: 'should',
  inspect: (response, site, { service }) => {
    const { status, headers, request } = response
    if (site === undefined || request.method !== 'POST' || !promisesLocation(service)) return undefined
    if (!createsAt(site.endpoint.path.template, service) || (status !== 201 && status !== 204)) return undefined
    const { location } = headers
    if (location !== undefined || (status === 204 && headers['odata-entityid'] !== undefined)) return 'seen'
    return {
      message: `The response to a create with status ${status} does not name the address of the new item.`,
      expected: status === 201 ? 'the header Location' : 'the header Location or OData-EntityId',
      received: 'no such header',
      answers: [response],
      features: ['create', 'header.Location'],
    }
  },
}

/** Whether a clause of the spec is about the address. A spec without clauses has the sentences of the standard. */
function promisesLocation({ clauses }: Service): boolean {
  return clauses.length === 0 || clauses.some(({ aspects }) => aspects.includes('create.location'))
}

function createsAt(template: string, { endpoints }: Service): boolean {
  return endpoints.some(({ kind, path }) => (kind === 'create' || kind === 'createMedia') && path.template === template)
}
