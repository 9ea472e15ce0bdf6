const moduleSpecifier = /^(?:import|export|\})[^'"\n]*?(?:from )?'(\.{1,2}\/[^']+\.js)'/gm

/**
 * The relative modules that a file of the runtime imports or exports from. It reads the runtime's own, formatted style:
 * each statement begins a line, or ends one that begins with its closing brace.
 */
export function importedModules(text: string): readonly string[] {
  return Array.from(text.matchAll(moduleSpecifier), match => match[1] ?? '')
}
