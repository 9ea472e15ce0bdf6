import type { Service } from '../../spec/language/model/index.js'
import { type Finding, findings } from './finding.js'
import type { InterfaceSection } from './interface-section.js'

/** 2.5: what is named only is a type of that name, or the result of an operation. */
export function walkNamedResources(section: InterfaceSection, service: Service): readonly Finding[] {
  const [list = ''] = section.bullets.flatMap(bullet => /^(.*): named only/.exec(bullet)?.[1] ?? [])
  const names = list.replaceAll(/\([^)]*\)/g, '').split(',')
  const relations = [...list.matchAll(/`(\w+)`/g)].flatMap(([, name]) => name ?? [])
  return [
    ...names.flatMap(name => namedResource(section, service, camelCase(name.trim()))),
    ...relations.flatMap(name =>
      findings(`${section.number} ${name}`, {
        'no such relation': !service.entityTypes.some(type =>
          type.navigation.some(relation => relation.name === name && relation.ref === section.number),
        ),
      }),
    ),
  ]
}

function namedResource(section: InterfaceSection, service: Service, name: string): readonly Finding[] {
  const row = `${section.number} ${name}`
  const result = /^(.*)Result$/.exec(name)?.[1]
  if (result === undefined) {
    const type = service.entityTypes.find(known => known.name === name)
    return findings(row, { 'no such type': !type, 'no ref': type !== undefined && type.ref === undefined })
  }
  const operation = service.operations.find(known => known.name.toLowerCase().endsWith(result.toLowerCase()))
  return findings(row, { 'no operation returns it': !operation?.returns?.collection })
}

function camelCase(words: string): string {
  const [first = '', ...rest] = words.split(/[ -]/)
  return [first.toLowerCase(), ...rest.map(word => word.charAt(0).toUpperCase() + word.slice(1))].join('')
}
