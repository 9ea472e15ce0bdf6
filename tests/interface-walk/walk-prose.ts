import type { Service } from '../../spec/language/model/index.js'
import { type Finding, findings } from './finding.js'
import type { InterfaceSection } from './interface-section.js'
import { quoted } from './quoted.js'

/** A sentence outside tables and lists is quoted by a clause, unless it says what is not shown. */
export function walkProse(section: InterfaceSection, service: Service): readonly Finding[] {
  return section.prose
    .filter(sentence => !sentence.endsWith('not shown.'))
    .flatMap(sentence =>
      findings(`${section.number} ${sentence}`, { 'no clause': !quoted(service, section.number, sentence) }),
    )
}
