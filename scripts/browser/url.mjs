// Modules have the addresses of a package folder, so that the package finds its own files.

const { URL } = globalThis

export { URL }

export const fileURLToPath = () => '/specwright/dist/module.js'
