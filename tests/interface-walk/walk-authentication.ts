import type { Service } from '../../spec/language/model/index.js'
import { type Finding, findings } from './finding.js'
import type { InterfaceSection } from './interface-section.js'
import { quoted } from './quoted.js'

/** 5: what is said is quoted and holds; what is not shown is assumed. */
export function walkAuthentication(section: InterfaceSection, service: Service): readonly Finding[] {
  const { authentication, endpoints } = service
  return section.bullets.flatMap(bullet =>
    findings(
      `${section.number} ${bullet}`,
      bullet.endsWith('not shown.')
        ? { 'not assumed': authentication.assumed === undefined }
        : {
            'no clause': !quoted(service, section.number, bullet),
            'an endpoint without scopes': endpoints.some(({ scopes }) => scopes.length === 0),
            'not the status': bullet.includes('401') && authentication.missing?.status !== 401,
          },
    ),
  )
}
