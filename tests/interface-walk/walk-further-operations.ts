import type { Service } from '../../spec/language/model/index.js'
import { type Finding, findings } from './finding.js'
import type { InterfaceSection } from './interface-section.js'

/** 4.1, below the table: the operations that exist without an exact path. */
export function walkFurtherOperations(section: InterfaceSection, service: Service): readonly Finding[] {
  return section.bullets.flatMap(bullet => {
    const [name = ''] = bullet.split(/ \(| of |,/)
    const row = `${section.number} ${name}`
    switch (name) {
      case 'Change tracking':
        return findings(row, { 'no such endpoint': !reads(service, 'delta', 'user') })
      case 'Count': {
        const count = reads(service, 'count', 'user')
        return findings(row, {
          'no such endpoint': !count,
          'takes no $filter': count?.query?.filter.support !== 'required',
        })
      }
      case 'Reminder view for the signed-in user':
        return findings(row, reminderViewProblems(service, bullet))
      default:
        return findings(row, ['nothing walks this row'])
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
