import type { Endpoint, ReadEndpoint, Service } from '../../spec/language/model/index.js'
import { type Finding, findings } from './finding.js'
import type { InterfaceSection } from './interface-section.js'

/** 4.1: each row of the table is an endpoint, with that body and that answer. */
export function walkOperations(section: InterfaceSection, service: Service): readonly Finding[] {
  return section.rows.flatMap(([method = '', shape = '', body = '', answer = '']) => {
    const template = shape.replaceAll('<id>', '{id}')
    const endpoint = service.endpoints.find(known => known.method === method && known.path.template === template)
    const row = `${section.number} ${method} ${shape}`
    if (!endpoint) return findings(row, ['no such endpoint'])
    return findings(row, {
      'no ref': endpoint.ref !== section.number,
      'may be missing': endpoint.support !== 'required',
      'takes another body': !takes(endpoint, body),
      'gives another answer': !gives(endpoint, answer),
    })
  })
}

function takes(endpoint: Endpoint, body: string): boolean {
  switch (endpoint.kind) {
    case 'create':
    case 'update':
      return body.split(' ')[0]?.toLowerCase() === endpoint.type.name
    case 'call': {
      const [, parameter, type] = /^object with `(\w+)` \((\w+)/.exec(body) ?? []
      const known = endpoint.operation.parameters.find(({ name }) => name === parameter)
      return known !== undefined && (type === 'list' ? known.collection : known.type.name.toLowerCase() === type)
    }
    default:
      return body === 'none'
  }
}

function gives(endpoint: Endpoint, answer: string): boolean {
  if (endpoint.kind === 'call') {
    const { returns } = endpoint.operation
    return answer.startsWith('list of') && returns?.collection === true && returns.type.name === 'String'
  }
  if (endpoint.kind === 'delete') return answer === 'no content shape given'
  const [, items] = /^collection envelope of ([\w ]+)/.exec(answer) ?? []
  if (items !== undefined) return endpoint.kind === 'collection' && isOf(endpoint, items) && expands(endpoint, answer)
  const [, item = ''] = /(?:created |a )?(\w+)[);]?(?: |$)/.exec(answer.replace('manager (a user)', 'user')) ?? []
  return endpoint.kind !== 'collection' && endpoint.type.name === item.toLowerCase()
}

/** `members` are of a type that the interface does not name. */
function isOf(endpoint: ReadEndpoint, items: string): boolean {
  const name = items.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase()).replace(/s$/, '')
  return items === 'members' || endpoint.type.name.toLowerCase() === name.toLowerCase()
}

function expands(endpoint: ReadEndpoint, answer: string): boolean {
  const [, relation] = /`\$expand=(\w+)` supported/.exec(answer) ?? []
  return relation === undefined || endpoint.query?.expand.relations[relation] === 'required'
}
