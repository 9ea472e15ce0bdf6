import type { ErrorDefinition, Service } from '../../spec/language/model/index.js'
import { type Finding, findings } from './finding.js'
import type { InterfaceSection } from './interface-section.js'

const errorOf: Readonly<Record<string, (service: Service) => ErrorDefinition | undefined>> = {
  'item does not exist': service => service.faults.itemNotFound,
  'authentication missing or failed': service => service.authentication.missing,
  'advanced query used without ConsistencyLevel header': service =>
    service.queryCapabilities.flatMap(({ requires }) => requires.map(({ otherwise }) => otherwise))[0],
  'filter or other parameter not supported by the endpoint': service => service.faults.unsupportedQueryOption,
}

/** 7: each row is an error of that status, or of any where the interface leaves it open, and is quoted by a clause. */
export function walkErrors(section: InterfaceSection, service: Service): readonly Finding[] {
  return section.rows.flatMap(([condition = '', status = '', body = '']) => {
    const error = Object.hasOwn(errorOf, condition) ? errorOf[condition]?.(service) : undefined
    const row = `${section.number} ${condition}`
    if (!error || error.builtIn) return findings(row, ['no such error'])
    const text = `${condition} | ${status} | ${body}`
    return findings(row, {
      'no ref': error.ref !== section.number,
      'another status': status === 'error status' ? !error.legal.includes('4xx') : error.status !== Number(status),
      'other statuses are legal': status !== 'error status' && error.legal.length > 0,
      'another message': body.includes('advanced query') && !/advanced query capabilities are not/i.test(error.message),
      'no clause': !service.clauses.some(({ ref, quote }) => ref === section.number && quote.includes(text)),
    })
  })
}
