import type { Service } from '../../spec/language/model/index.js'
import { type Finding, findings } from './finding.js'
import { type InterfaceSection, interfaceSections } from './interface-section.js'
import { walkAuthentication } from './walk-authentication.js'
import { walkEntryPoints } from './walk-entry-points.js'
import { walkEnvelope } from './walk-envelope.js'
import { walkErrors } from './walk-errors.js'
import { walkFields } from './walk-fields.js'
import { walkFilterGrammar } from './walk-filter-grammar.js'
import { walkFurtherOperations } from './walk-further-operations.js'
import { walkHeaders } from './walk-headers.js'
import { walkLimits } from './walk-limits.js'
import { walkNamedResources } from './walk-named-resources.js'
import { walkOperations } from './walk-operations.js'
import { walkProse } from './walk-prose.js'
import { walkQueryParameters } from './walk-query-parameters.js'
import { walkRules } from './walk-rules.js'
import { walkVersioning } from './walk-versioning.js'

type Walk = (section: InterfaceSection, service: Service) => readonly Finding[]

const walks: Readonly<Record<string, readonly Walk[]>> = {
  '1': [walkEntryPoints],
  '2.1': [walkFields, walkProse],
  '2.2': [walkFields],
  '2.3': [walkFields],
  '2.4': [walkEnvelope],
  '2.5': [walkNamedResources],
  '4.1': [walkOperations, walkFurtherOperations],
  '4.2': [walkQueryParameters, walkFilterGrammar, walkRules],
  '4.3': [walkHeaders],
  '5': [walkAuthentication],
  '7': [walkErrors, walkProse],
  '8': [walkLimits],
  '9': [walkVersioning],
}

/** Walks the tables and lists of an interface, and finds each row that has no counterpart in the service as its spec tells it. */
export function walkInterface(text: string, service: Service): readonly Finding[] {
  return interfaceSections(text).flatMap(section => {
    const own = walks[section.number]
    if (own) return own.flatMap(walk => walk(section, service))
    return findings(section.number, { 'nothing walks this table': section.rows.length > 0 })
  })
}
