/**
 * The relative modules that a file of the runtime imports or exports from. It reads the runtime's own, formatted style:
 * each statement begins a line, or ends one that begins with its closing brace.
 */
export function importedModules(text: string): readonly string[] {
  const modules: string[] = []
  for (let quote = text.indexOf("'."); quote >= 0; quote = text.indexOf("'.", quote + 1)) {
    const before = text.slice(text.lastIndexOf('\n', quote) + 1, quote)
    if (!/^(?:import|export|\}).* from $|^import $/.test(before)) continue
    const specifier = text.slice(quote + 1, text.indexOf("'", quote + 1))
    if (specifier.endsWith('.js')) modules.push(specifier)
  }
  return modules
}
