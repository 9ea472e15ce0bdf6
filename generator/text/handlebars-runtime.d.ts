/** Handlebars without its compiler; the package's own declarations of it name nothing. */
declare module 'handlebars/runtime.js' {
  import type Handlebars from 'handlebars'

  const runtime: Pick<typeof Handlebars, 'template'>
  export default runtime
}
