import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GeneratedFile } from '../generated-file.js'
import { ownershipHeader, scriptOwnershipHeader } from '../ownership.js'
import { packageFolder } from '../package-folder.js'
import type { RuntimePart } from './runtime-part.js'

/**
 * The parts of the runtime as files beside what imports them.
 *
 * @param compiled each as JavaScript with its declarations, instead of TypeScript
 */
export function runtimeFiles(
  parts: readonly RuntimePart[],
  service: string,
  compiled: boolean,
): readonly GeneratedFile[] {
  const file = (name: string, ...header: readonly string[]): GeneratedFile => ({
    path: `runtime/${name}`,
    text: [...header, '', readFileSync(join(packageFolder('dist/vendored'), name), 'utf8')].join('\n'),
    kind: 'generated',
  })
  const header = ownershipHeader(service)
  if (!compiled) return parts.map(part => file(`${part}.ts`, header))
  return parts.flatMap(part => [
    file(`${part}.d.ts`, header),
    // The second line is how Deno finds the declarations.
    file(`${part}.js`, scriptOwnershipHeader(service), `// @ts-self-types="./${part}.d.ts"`),
  ])
}
