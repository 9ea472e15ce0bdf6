import { defineConfig } from 'vitepress'
import { nav, sidebar } from '../navigation.mjs'

/** The anchor of a heading as GitHub writes it, so that one link works on both. */
const githubAnchor = heading =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

export default defineConfig({
  lang: 'en',
  title: 'Specwright',
  description:
    'One YAML spec of an HTTP service with OData query options: types, client, server, and a test of any implementation.',
  base: process.env.SITE_BASE ?? '/',
  srcDir: 'pages',
  outDir: 'dist',
  cacheDir: 'node_modules/.cache/vitepress',
  cleanUrls: false,
  lastUpdated: false,
  markdown: {
    // Pages are Markdown without HTML or expressions of Vue: `<` and `{{` are characters.
    html: false,
    config({ renderer: { rules } }) {
      for (const name of ['code_inline', 'text']) {
        const render = rules[name]
        rules[name] = (...all) => render(...all).replaceAll('{{', '&#123;&#123;')
      }
    },
    anchor: { slugify: githubAnchor },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  vite: { worker: { format: 'es' } },
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  themeConfig: {
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    nav,
    sidebar,
  },
})
