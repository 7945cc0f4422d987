/** Options that run this code before the action, on its main thread. */
export function withPreload(code: string) {
  return { nodeOptions: ['--import', `data:text/javascript,${encodeURIComponent(code)}`] }
}
