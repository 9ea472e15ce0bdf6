// Modules have the addresses of a package folder, so that the package finds its own files.

const { URL } = globalThis

export { URL }

// Bundlers may add a hash to the name of a file.
export const fileURLToPath = url =>
  `/specwright/dist/${String(url).includes('is-spec-document') ? 'is-spec-document.cjs' : 'module.js'}`
