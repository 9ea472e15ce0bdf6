import type { FunctionSignature } from './binding-scope.js'
import { type Frame, report } from './frame.js'
import { didYouMean } from './suggestion.js'
import { unqualifiedName } from './type-names.js'

/** The function of that qualified name that the scope declares; reports when there is none. */
export function serviceFunction(name: string, frame: Frame): FunctionSignature | undefined {
  const functions = frame.scope.functions ?? {}
  const unqualified = unqualifiedName(name, frame)
  if (unqualified !== undefined && Object.hasOwn(functions, unqualified)) return functions[unqualified]
  const hint = didYouMean(unqualified ?? name, Object.keys(functions))
  report(frame, 'unknownFunction', `Could not find a function named '${name}'.${hint}`)
  return undefined
}
