import type { Service } from '../../spec/language/model/index.js'
import { type Finding, findings } from './finding.js'
import type { InterfaceSection } from './interface-section.js'

/** 1: the entry points that it names are in the container, and the signed-in user is the caller. */
export function walkEntryPoints(section: InterfaceSection, service: Service): readonly Finding[] {
  const [sentence = ''] = section.bullets.flatMap(bullet => /top-level entry points are .*$/.exec(bullet)?.[0] ?? [])
  return [...sentence.matchAll(/(the signed-in user )?\(?`(\w+)`/g)].flatMap(([, signedIn, name = '']) => {
    const element = service.container.find(known => known.name === name)
    return findings(`${section.number} ${name}`, {
      'not in the container': element?.ref !== section.number,
      'not the caller': signedIn !== undefined && !(element?.kind === 'singleton' && element.principal),
    })
  })
}
