import { useRoute } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import { defineAsyncComponent, nextTick, onMounted, watch } from 'vue'
import './site.css'

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component(
      'playground',
      defineAsyncComponent(() => import('../../playground/Playground.vue')),
    )
  },
  setup() {
    const route = useRoute()
    onMounted(() => watch(() => route.path, () => nextTick(markMain), { immediate: true }))
  },
}

/** The theme's home page has no main landmark. */
function markMain() {
  const content = document.getElementById('VPContent')
  if (content?.querySelector('main') === null) content.setAttribute('role', 'main')
  else content?.removeAttribute('role')
}
