import { type OpenTelemetryApi, openTelemetry, type Telemetry } from '../../runtime/server/index.js'

/** The package, not as a literal: without it, neither the compiler nor a bundler may look for it. */
const packageName: string = '@opentelemetry/api'

/** Telemetry through `@opentelemetry/api`, if it is installed. It records nothing until the process registers an SDK. */
export async function findTelemetry(
  load: () => Promise<unknown> = () => import(packageName),
): Promise<Telemetry | undefined> {
  try {
    const api = await load()
    return isOpenTelemetryApi(api) ? openTelemetry(api) : undefined
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}

/** Whether a module has the functions that are used. The first versions of the package had no metrics. */
function isOpenTelemetryApi(module: unknown): module is OpenTelemetryApi {
  const functions = [
    ...[
      ['trace', 'getTracer'],
      ['trace', 'setSpan'],
      ['trace', 'getActiveSpan'],
      ['metrics', 'getMeter'],
    ],
    ...[
      ['context', 'active'],
      ['context', 'with'],
      ['propagation', 'extract'],
    ],
  ] as const
  return functions.every(([part = '', name = '']) => {
    const found: unknown = typeof module === 'object' && module !== null ? Reflect.get(module, part) : undefined
    return typeof found === 'object' && found !== null && typeof Reflect.get(found, name) === 'function'
  })
}
