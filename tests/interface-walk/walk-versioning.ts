import type { Service } from '../../spec/language/model/index.js'
import { type Finding, findings } from './finding.js'
import type { InterfaceSection } from './interface-section.js'
import { quoted } from './quoted.js'

/** 9: the version is the path segment that is shown. */
export function walkVersioning(section: InterfaceSection, service: Service): readonly Finding[] {
  return section.bullets.flatMap(bullet => {
    const [, shown] = /\{base_url\}\/(v[\d.]+)\//.exec(bullet) ?? []
    if (shown === undefined) return []
    return findings(`${section.number} ${shown}`, {
      'another version': service.version !== shown,
      'no clause': !quoted(service, section.number, bullet),
    })
  })
}
