import type { Endpoint, ReadEndpoint, Service } from '../../spec/language/index.js'
import { type Gap, gaps, type InterfaceSection } from './interface-document.js'

/** 4.1: each row of the table is an endpoint, with the same body and response. */
export function checkOperations(section: InterfaceSection, service: Service): readonly Gap[] {
  return section.rows.flatMap(([method = '', shape = '', body = '', answer = '']) => {
    const template = shape.replaceAll('<id>', '{id}')
    const endpoint = service.endpoints.find(known => known.method === method && known.path.template === template)
    const row = `${section.number} ${method} ${shape}`
    if (!endpoint) return gaps(row, ['no such endpoint'])
    return gaps(row, {
      'no ref': endpoint.ref !== section.number,
      'may be missing': endpoint.support !== 'required',
      'takes another body': !acceptsBody(endpoint, body),
      'gives another answer': !returnsResult(endpoint, answer),
    })
  })
}

function acceptsBody(endpoint: Endpoint, body: string): boolean {
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

function returnsResult(endpoint: Endpoint, answer: string): boolean {
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

/** `members` have a type that the interface does not name. */
function isOf(endpoint: ReadEndpoint, items: string): boolean {
  const name = items.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase()).replace(/s$/, '')
  return items === 'members' || endpoint.type.name.toLowerCase() === name.toLowerCase()
}

function expands(endpoint: ReadEndpoint, answer: string): boolean {
  const [, relation] = /`\$expand=(\w+)` supported/.exec(answer) ?? []
  return relation === undefined || endpoint.query?.expand.relations[relation] === 'required'
}

/** 4.1, below the table: the operations that exist without an exact path. */
export function checkFurtherOperations(section: InterfaceSection, service: Service): readonly Gap[] {
  return section.bullets.flatMap(bullet => {
    const [name = ''] = bullet.split(/ \(| of |,/)
    const row = `${section.number} ${name}`
    switch (name) {
      case 'Change tracking':
        return gaps(row, { 'no such endpoint': !reads(service, 'delta', 'user') })
      case 'Count': {
        const count = reads(service, 'count', 'user')
        return gaps(row, {
          'no such endpoint': !count,
          'takes no $filter': count?.query?.filter.support !== 'required',
        })
      }
      case 'Reminder view for the signed-in user':
        return gaps(row, reminderViewProblems(service, bullet))
      default:
        return gaps(row, ['nothing checks this row'])
    }
  })
}

function reads(service: Service, kind: 'delta' | 'count', type: string) {
  return service.endpoints.flatMap(endpoint =>
    endpoint.kind === kind && endpoint.type.name === type ? [endpoint] : [],
  )[0]
}

function reminderViewProblems(service: Service, bullet: string): readonly string[] {
  const call = service.endpoints.flatMap(endpoint =>
    endpoint.kind === 'call' && endpoint.operation.name === 'reminderView' ? [endpoint] : [],
  )[0]
  if (call?.method !== 'GET') return ['no such endpoint']
  const names = [...bullet.matchAll(/`(\w+)`/g)].flatMap(([, name]) => name ?? [])
  return names.flatMap(name => {
    const parameter = call.operation.parameters.find(known => known.name === name)
    if (!parameter) return [`no parameter ${name}`]
    const fits = parameter.type.name === 'String' && (parameter.minLength ?? 0) > 0
    return fits && !parameter.optional && !parameter.nullable && parameter.format === 'dateTimeOffset'
      ? []
      : [`${name} is another parameter`]
  })
}
