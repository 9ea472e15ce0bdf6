import type { Service } from '../../spec/language/index.js'
import { checkProse, type Gap, gaps, type InterfaceSection, interfaceSections } from './interface-document.js'
import { checkFurtherOperations, checkOperations } from './operations.js'
import { checkAuthentication, checkErrors, checkHeaders, checkLimits, checkVersioning } from './protocol.js'
import { checkFilterGrammar, checkQueryParameters, checkRules } from './query.js'
import { checkEntryPoints, checkEnvelope, checkFields, checkNamedResources } from './resources.js'

type SectionCheck = (section: InterfaceSection, service: Service) => readonly Gap[]

const sectionChecks: Readonly<Record<string, readonly SectionCheck[]>> = {
  '1': [checkEntryPoints],
  '2.1': [checkFields, checkProse],
  '2.2': [checkFields],
  '2.3': [checkFields],
  '2.4': [checkEnvelope],
  '2.5': [checkNamedResources],
  '4.1': [checkOperations, checkFurtherOperations],
  '4.2': [checkQueryParameters, checkFilterGrammar, checkRules],
  '4.3': [checkHeaders],
  '5': [checkAuthentication],
  '7': [checkErrors, checkProse],
  '8': [checkLimits],
  '9': [checkVersioning],
}

/** Compares the tables and lists of an interface with a service, and returns the rows without a counterpart. */
export function interfaceGaps(text: string, service: Service): readonly Gap[] {
  return interfaceSections(text).flatMap(section => {
    const own = sectionChecks[section.number]
    if (own) return own.flatMap(walk => walk(section, service))
    return gaps(section.number, { 'nothing checks this table': section.rows.length > 0 })
  })
}
